/** `tool`: only programs write there. `built`: what a build makes, beside which a person may have put something. */
export type OutputKind = 'tool' | 'built';

/** Folders whose name says it all: dependencies that are fetched again, and what tools remember. */
const byName = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.eggs',
  '.gradle',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.angular',
  '.turbo',
  '.parcel-cache',
  '.nyc_output',
  '.dart_tool',
  '.stack-work',
  'dist-newstyle',
  'elm-stuff',
  'zig-cache',
  '.zig-cache',
]);

/** Folders whose name may mean anything, with the files beside them (or, with `./`, in them) of which one shows what they are. */
const byMarker: readonly (readonly [
  names: readonly string[],
  markers: readonly (string | RegExp)[],
  kind: OutputKind,
])[] = [
  [['.venv', 'venv', 'env'], ['./pyvenv.cfg'], 'tool'],
  [['target'], ['Cargo.toml', 'pom.xml', 'build.sbt'], 'built'],
  [
    ['dist', 'build', 'out', 'lib', 'coverage', '.cache', '.output', '.vite', '.expo', 'storybook-static'],
    ['package.json'],
    'built',
  ],
  [['dist', 'build', 'htmlcov'], ['pyproject.toml', 'setup.py', 'setup.cfg'], 'built'],
  [['build', 'out'], [/^(build|settings)\.gradle(\.kts)?$/, 'CMakeLists.txt', 'meson.build', 'pubspec.yaml'], 'built'],
  [['bin', 'obj'], [/\.(cs|fs|vb)proj$/], 'built'],
  [['vendor'], ['composer.json', 'go.mod', 'Gemfile'], 'built'],
  [['Pods'], ['Podfile'], 'tool'],
  [['DerivedData'], [/\.(xcodeproj|xcworkspace)$/, 'Package.swift'], 'tool'],
  [['.build'], ['Package.swift'], 'tool'],
  [['_build', 'deps'], ['mix.exs', 'rebar.config'], 'built'],
  [['_build'], ['dune-project'], 'built'],
  [['zig-out'], ['build.zig'], 'built'],
];
const cmakeBuild = /^cmake-build-/;

/** With this file a tool says of a folder that it is a cache (bford.info/cachedir). */
export const cacheTag = 'CACHEDIR.TAG';
export const cacheTagText = 'Signature: 8a477f597d28d172789f06886806bc55';

/** What there is around a folder. */
export interface FolderPlace {
  readonly name: string;
  /** The names beside it. */
  readonly beside: readonly string[];
  /** The names in it. */
  readonly inside: readonly string[];
  /** A file in it says that it is a cache. */
  readonly isTagged: boolean;
  /** The team has named it. */
  readonly isNamed: boolean;
}

/** Whether an ignored folder holds what a build or a tool makes again, and of what kind; `undefined` when that is not known. */
export function outputKind({ name, beside, inside, isTagged, isNamed }: FolderPlace): OutputKind | undefined {
  if (byName.has(name)) return 'tool';
  const isThere = (marker: string | RegExp): boolean => {
    if (typeof marker !== 'string') return beside.some((each) => marker.test(each));
    return marker.startsWith('./') ? inside.includes(marker.slice(2)) : beside.includes(marker);
  };
  const known = byMarker.find(([names, markers]) => names.includes(name) && markers.some(isThere));
  if (known) return known[2];
  if (cmakeBuild.test(name) && beside.includes('CMakeLists.txt')) return 'built';
  return isTagged || isNamed ? 'built' : undefined;
}

/** Names that look like somebody's own: settings, keys, notes. */
const personal: readonly RegExp[] = [
  /^\.env(\..*|rc)?$/i,
  /\.local(\.[^.]+)?$/i,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|gpg|asc|ppk|ovpn)$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)(\.pub)?$/,
  /^\.(netrc|npmrc|pypirc|pgpass|htpasswd)$/,
  /^(credentials|secrets?)(\.[\w.]+)?$/i,
  /^\.claude(-state)?$/,
  /^\.(worktrees|poll-active|poll-state\.json)$/,
  /^(session|learnings|jobs|notes|todo)\.md$/i,
  /\.(tfstate|tfvars)(\.backup)?$/i,
];
/** Files with data. Tools keep their own in such, too. */
const data = /\.(db3?|sqlite3?|mdb|accdb|duckdb|dump|bak|sql|rdb)(-wal|-shm)?$/i;

/**
 * Whether a name in build output looks like that of somebody's own file, which is never deleted.
 *
 * @param depth 1 right in the folder. Deep in what is fetched, such names are those of its authors.
 */
export function looksPersonal(name: string, kind: OutputKind, depth: number): boolean {
  if (kind === 'tool') return depth === 1 && personal.some((pattern) => pattern.test(name));
  return personal.some((pattern) => pattern.test(name)) || data.test(name);
}
