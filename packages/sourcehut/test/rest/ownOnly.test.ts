import assert from 'node:assert/strict';
import { isForgeError } from '../../src/port/forgeError.ts';
import { factsInMemory } from '../../src/port/learntFacts.ts';
import type { Caller } from '../../src/rest/caller.ts';
import { restLists } from '../../src/rest/restForge.ts';
import { restRepositories } from '../../src/rest/restRepositories.ts';
import { restTrackers } from '../../src/rest/restTrackers.ts';
import { standFor } from '../../../../test/support/standFor.ts';

const never = new AbortController().signal;

suite('things of other owners', () => {
	test('are not changed through paths that imply the user', async () => {
		const caller = standFor<Caller>({
			me: '~alice',
			learnt: factsInMemory(),
			call: () => assert.fail('Something was asked'),
		});
		const ref = { owner: '~bob', name: 'lantern' };
		const [lists, repositories, trackers] = [restLists(caller), restRepositories(caller), restTrackers(caller)];
		for (const work of [
			() => lists.update(ref, 'Other', never),
			() => lists.remove?.(ref, never) ?? assert.fail('Lists can be deleted'),
			() => repositories.update(ref, { description: 'Other' }, never),
			() => repositories.remove(ref, never),
			() => trackers.remove(ref, never),
		]) {
			await assert.rejects(
				async () => await work(),
				(error) => isForgeError(error) && error.problem.kind === 'notAllowed',
				String(work),
			);
		}
	});
});
