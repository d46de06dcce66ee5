// describe/it beside suite/test: which of the two reads better depends on the tests, and mocha's globals do not collide.
const Mocha = require('mocha');
const { bdd, tdd } = (Mocha.default ?? Mocha).interfaces;

module.exports = (suite) => {
  bdd(suite);
  tdd(suite);
};
