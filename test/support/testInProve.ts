import { runsAll } from './counts.ts';

/** A test for `npm run prove` only. In `npm test`, cheaper rings cover the same behaviour without the real editor. */
export function testInProve(title: string, body: Mocha.AsyncFunc): void {
	if (runsAll()) {
		test(title, body);
	} else {
		left += 1;
	}
}

let left = 0;

/** Number of tests in this process that only `npm run prove` runs. */
export function leftToProve(): number {
	return left;
}
