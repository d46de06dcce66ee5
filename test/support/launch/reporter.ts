import Mocha from 'mocha';
import { specAndJson } from './specAndJson.ts';

/** What `mocha --reporter` loads in the plain lanes. */
export default specAndJson(Mocha);
