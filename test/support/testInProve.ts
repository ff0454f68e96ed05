/**
 * A test that `npm run prove` runs and `npm test` does not: what it shows is shown in `npm test` by cheaper rings, and here
 * once more by the real editor.
 */
export function testInProve(title: string, body: Mocha.AsyncFunc): void {
	if (process.env['FORGE_DESK_COUNTS'] === 'full') {
		test(title, body);
	}
}
