// What mocha loads first in Node for Windows below Wine, which gives values of its own to these variables. The person's name has a space, as many have.
const person = 'C:\\Users\\Ada Example';
const temp = `${person}\\AppData\\Local\\Temp`;
Object.assign(process.env, {
  ...{ USERPROFILE: person, HOMEDRIVE: 'C:', HOMEPATH: person.slice(2), USERNAME: 'Ada Example' },
  ...{ APPDATA: `${person}\\AppData\\Roaming`, LOCALAPPDATA: `${person}\\AppData\\Local`, TEMP: temp, TMP: temp },
  WT_TEST_WINE: '1',
});
