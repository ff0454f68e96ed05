import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import type { ApplyContext } from '../../../../../src/features/patches/apply/savedApplied.ts';
import { fake } from '../../../../support/fake.ts';
import { listConnection, fakeLists } from '../../../../support/fakeLists.ts';
import { fakeGit, fakeRepository } from '../../../../support/fakeGit.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';

const { askClone } = await import('../../../../../src/features/patches/apply/openClone.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'lantern-devel' };
const lantern = { owner: '~alice', name: 'lantern' };

suite('clone for a patchset', () => {
	test('names the repository of the patches if no remote points to it', async () => {
		const connection = listConnection(fakeLists().api);
		const folder = fakeRepository('/code');
		const parts = fake<ApplyContext>({
			findGit: fakeGit(folder),
			cloneClues: async () => [{ ref: lantern, list }],
			problems: quietProblems,
		});
		const review = fake<PatchsetReview>({ ref: { list, id: 7 }, patchset: makePatchset() });
		const ask = () => askClone(parts, connection, review, never);
		assert.deepEqual((await ask()).isNotOf, lantern);
		folder.remotes.push({ name: 'origin', fetchUrl: `${connection.instance.areas.git}/~alice/lantern` });
		assert.equal((await ask()).isNotOf, undefined);
	});
});
