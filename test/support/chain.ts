const chains = new WeakSet<Mocha.Suite>();

/** True for a suite whose tests depend on each other. */
export function isChained(of: Mocha.Suite): boolean {
	return chains.has(of);
}

/**
 * A suite whose tests depend on each other, as steps of one scenario. After a failed step the rest does not run, and
 * the report says so. Final hooks still run.
 */
export function chainedSuite(title: string, body: (this: Mocha.Suite) => void): Mocha.Suite {
	return suite(title, function () {
		chains.add(this);
		teardown(function () {
			if (this.currentTest?.state === 'failed') {
				leaveOutTheRest(this.test?.parent);
			}
		});
		body.call(this);
	});
}

/** Skips only single tests: mocha would skip the hooks of a skipped suite, too. */
function leaveOutTheRest(chain: Mocha.Suite | undefined): void {
	chain?.eachTest((test) => {
		if (test.state === undefined) {
			test.pending = true;
		}
	});
}
