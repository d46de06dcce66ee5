import { randomBytes } from 'node:crypto';
import { Uri, type Webview } from 'vscode';

/** The folder of the extension that the page may load from, and nothing else. */
export function pageFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist', 'webview');
}

const chevron =
  '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="m5.7 13.7-.7-.7L10 8 5 3l.7-.7L11.4 8z"/></svg>';

/**
 * The page of the session merge editor: empty places, which its script fills with what the editor sends. Nothing from outside the extension is
 * loaded, no script of the repository's runs, and no connection is made.
 */
export function pageHtml(webview: Webview, extension: Uri, language: string): string {
  const nonce = randomBytes(16).toString('base64');
  const at = (file: string): string => webview.asWebviewUri(Uri.joinPath(pageFolder(extension), file)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${language.replace(/[^\w-]/g, '')}">
<head>
  <meta charset="UTF-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1.0">
  <link rel="stylesheet" href="${at('sessionMerge.css')}">
  <title>Session merge</title>
</head>
<body>
  <header>
    <div class="names"><h1 id="title"></h1><p id="subtitle"></p></div>
    <div id="summary" class="summary" hidden>
      <div id="views" class="group" role="group">
        <button type="button" id="show-review" aria-pressed="false"></button>
        <button type="button" id="show-all" aria-pressed="false"></button>
      </div>
      <div id="steps" hidden>
        <button type="button" id="previous" class="plain">${chevron}</button>
        <span id="position"></span>
        <button type="button" id="next" class="plain">${chevron}</button>
      </div>
    </div>
    <vscode-button id="accept" disabled></vscode-button>
  </header>
  <div id="notice" role="status" hidden></div>
  <main id="scroller">
    <p id="keys" class="unseen"></p>
    <div id="entries" role="treegrid" aria-describedby="keys" hidden></div>
  </main>
  <section id="result" aria-labelledby="result-title" hidden>
    <h2><button type="button" id="result-toggle" aria-expanded="true" aria-controls="result-text">
      ${chevron}
      <span id="result-title"></span> <span id="result-hint"></span>
    </button></h2>
    <div id="result-text" role="group" tabindex="0"></div>
  </section>
  <div id="spoken" class="unseen" aria-live="polite"></div>
  <script type="module" nonce="${nonce}" src="${at('sessionMerge.js')}"></script>
</body>
</html>`;
}
