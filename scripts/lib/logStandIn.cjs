// Stands in for VS Code's native log module, which only a compiler could build here. Without it the server writes no log
// files, and then also the output channels of extensions stay empty. The interface is @vscode/spdlog's.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  constructor(_kind, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    this.file = file;
    this.level = 2;
    this.raw = false;
  }
  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    try {
      appendFileSync(this.file, this.raw ? message : `${time} [${names[level]}] ${message}\n`);
    } catch {
      // The folder is gone when a throw-away place is removed; a log must not be what fails then.
    }
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  setPattern() {
    this.raw = false;
  }
  clearFormatters() {
    this.raw = true;
  }
  flush() {}
  drop() {}
}

const create = async (name, file) => new Logger('rotating', name, file);
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
