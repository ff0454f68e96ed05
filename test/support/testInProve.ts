/**
 * A test that `npm run prove` runs and `npm test` does not: what it shows is shown in `npm test` by cheaper rings, and here
 * once more by the real editor.
 */
export function testInProve(title: string, body: Mocha.AsyncFunc): void {
	if (process.env['FORGE_DESK_COUNTS'] === 'full') {
		test(title, body);
	} else {
		left += 1;
	}
}

let left = 0;

/** How many tests of this process were left to `npm run prove` until now. */
export function leftToProve(): number {
	return left;
}
