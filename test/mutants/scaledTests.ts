// Loaded into mocha before the tests: what limits them grows with the load, as in the stages of `npm test`.
import Mocha from 'mocha';
import { scaleLimit } from '../harness/runMocha.ts';
import { measurePace } from '../support/pace.ts';

// oxlint-disable-next-line typescript/unbound-method -- it is called with the runnable below
const { run } = Mocha.Runnable.prototype;

Object.assign(Mocha.Runnable.prototype, {
	run(this: Mocha.Runnable, done: Mocha.Done): void {
		scaleLimit(this);
		run.call(this, done);
	},
});
measurePace();
