const chains = new WeakSet<Mocha.Suite>();

/** Whether the tests of a suite stand on each other. */
export function isChained(of: Mocha.Suite): boolean {
	return chains.has(of);
}

/**
 * A suite of tests that stand on each other, as the steps of one way: after one that failed the rest is not run, and is
 * reported so. Hooks that end the suite still run.
 */
export function chainedSuite(title: string, body: (this: Mocha.Suite) => void): void {
	suite(title, function () {
		chains.add(this);
		teardown(function () {
			if (this.currentTest?.state === 'failed') {
				leaveOutTheRest(this.test?.parent);
			}
		});
		body.call(this);
	});
}

/** Only tests are left out one by one: in a suite that is left out as a whole, hooks would not run either. */
function leaveOutTheRest(chain: Mocha.Suite | undefined): void {
	chain?.eachTest((test) => {
		if (test.state === undefined) {
			test.pending = true;
		}
	});
}
