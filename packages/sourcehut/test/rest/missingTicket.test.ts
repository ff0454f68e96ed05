import assert from 'node:assert/strict';
import { ForgeError, isForgeError, type Problem } from '../../src/port/forgeError.ts';
import type { Caller } from '../../src/rest/caller.ts';
import { orMissingTicket } from '../../src/rest/exactTracker.ts';
import { standFor } from '../../../../test/support/standFor.ts';

/** Error kind for a ticket that failed, by the outcome of its timeline. */
async function told(failure: Problem, timeline: Problem | undefined): Promise<string> {
	const call = async (): Promise<void> => {
		if (timeline) {
			throw new ForgeError(timeline);
		}
	};
	const ref = { tracker: { owner: '~alice', name: 'alpha' }, id: 12 };
	const work = Promise.reject(new ForgeError(failure));
	try {
		await orMissingTicket(standFor<Caller>({ call }), ref, new AbortController().signal, work);
		return 'nothing';
	} catch (error) {
		return isForgeError(error) ? error.problem.kind : String(error);
	}
}

suite('ticket with a server error', () => {
	const failed: Problem = { kind: 'serverError', status: 500 };

	test('is missing if its timeline is, and otherwise a server error', async () => {
		assert.equal(await told(failed, { kind: 'notFound' }), 'notFound');
		assert.equal(await told(failed, undefined), 'serverError');
		assert.equal(await told(failed, failed), 'serverError');
	});

	test('is not checked after any other failure', async () => {
		assert.equal(await told({ kind: 'serverError', status: 502 }, { kind: 'notFound' }), 'serverError');
		assert.equal(await told({ kind: 'notAllowed' }, { kind: 'notFound' }), 'notAllowed');
	});
});
