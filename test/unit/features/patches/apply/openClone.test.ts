import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { PatchsetReview } from '../../../../../src/store/lists/patchsets/patchsetReview.ts';
import type { ApplyContext } from '../../../../../src/features/patches/apply/savedApplied.ts';
import { fake } from '../../../../support/fake.ts';
import { listConnection, fakeLists } from '../../../../support/fakeLists.ts';
import { fakeGit, fakeRepository, uriAt } from '../../../../support/fakeGit.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { eachInAppliedWorld, type AppliedWorld } from '../support/appliedWorld.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';

const { askClone } = await import('../../../../../src/features/patches/apply/openClone.ts');

const never = new AbortController().signal;
const list = { owner: '~alice', name: 'lantern-devel' };
const lantern = { owner: '~alice', name: 'lantern' };

suite('clone for a patchset', () => {
	setup(() => resetStub());

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
		assert.deepEqual((await ask()).isNotOf, { connectionKey: connection.key, ref: lantern });
		folder.remotes.push({ name: 'origin', fetchUrl: `${connection.instance.areas.git}/~alice/lantern` });
		assert.equal((await ask()).isNotOf, undefined);
	});

	test('comes first in the question, by its state after the last terminal command', async () => {
		const connection = listConnection(fakeLists().api);
		const other = fakeRepository('/other');
		const folder = fakeRepository('/code');
		folder.remotes.push({ name: 'origin', fetchUrl: `${connection.instance.areas.git}/~alice/lantern` });
		folder.unseenHead = { name: 'main', commit: 'b'.repeat(40) };
		const parts = fake<ApplyContext>({
			findGit: fakeGit(other, folder),
			cloneClues: async () => [{ ref: lantern, list }],
			problems: quietProblems,
		});
		const review = fake<PatchsetReview>({ ref: { list, id: 7 }, patchset: makePatchset() });
		stubbed.answers.push('code');
		const chosen = await askClone(parts, connection, review, never);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['code', 'other'],
		);
		assert.equal(chosen.root.path, '/code');
		assert.equal(chosen.head.commit, 'b'.repeat(40));
	});

	test('is impossible without a clone and without a known repository', async () => {
		const connection = listConnection(fakeLists().api);
		const parts = fake<ApplyContext>({ findGit: fakeGit(), cloneClues: async () => [], problems: quietProblems });
		const review = fake<PatchsetReview>({ ref: { list, id: 7 }, patchset: makePatchset() });
		await assert.rejects(askClone(parts, connection, review, never), isAbort);
		assert.deepEqual(stubbed.asked, []);
		assert.match(stubbed.shown.at(-1) ?? '', /^No clone is open in this window\./);
	});
});

suite('a new clone for a patchset', function () {
	this.timeout(60_000);
	let world: AppliedWorld;
	const quill = { owner: '~alice', name: 'quill' };

	eachInAppliedWorld((made) => {
		({ world } = made);
		made.window.dispose();
	});

	/** Applies, and clones into `second` on request. Returns the asked repository and the subjects there. */
	async function applyAfterCloning(isFound: boolean): Promise<readonly unknown[]> {
		const second = join(world.root, '../second');
		const asked: unknown[] = [];
		const { list } = world.subject.ref;
		const window = world.window({
			parts: {
				cloneClues: async () => [{ ref: quill, list }],
				cloneRepository: async (key, ref) => {
					asked.push(key, ref);
					world.plain(world.folder, 'clone', '-q', world.root, second);
					const opened = fakeRepository(second);
					opened.unseenHead = { name: 'main', commit: world.base };
					opened.head = undefined;
					if (isFound) {
						world.editorGit.open(opened);
					}
					return uriAt(second);
				},
			},
		});
		stubbed.answers.push('Clone ~alice/quill and Apply…', 'Current Branch main');
		try {
			await window.run('forge.patchsets.apply', world.subject);
		} finally {
			window.dispose();
		}
		return [...asked, world.plain(second, 'log', '--format=%s').trim().split('\n').length];
	}

	test('is offered if none is open, and gets the patches', async () => {
		world.editorGit.close(world.fake);
		assert.deepEqual(await applyAfterCloning(true), [world.subject.connectionKey, quill, 4]);
		assert.deepEqual(stubbed.asked, [
			'No clone of ~alice/quill is open in this window',
			'Choose where to apply "Change three"',
			'Choose what of "Change three" to apply to main',
		]);
		assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
	});

	test('is offered beside the places in a clone of something else, and gets the patches', async () => {
		world.fake.remotes.splice(0, 1, { name: 'origin', fetchUrl: 'git@git.forge.test:~alice/pen' });
		assert.deepEqual(await applyAfterCloning(true), [world.subject.connectionKey, quill, 4]);
		assert.deepEqual(stubbed.asked.filter((title) => title.startsWith('Choose where')).length, 2);
		assert.equal(world.inClone('rev-parse', 'HEAD'), world.base);
	});

	test('comes first where every open clone is of something else', async () => {
		world.fake.remotes.splice(0, 1, { name: 'origin', fetchUrl: 'git@git.forge.test:~alice/pen' });
		const { list } = world.subject.ref;
		const window = world.window({ parts: { cloneClues: async () => [{ ref: quill, list }] } });
		try {
			for (const title of ['Choose where to apply "Change three"', 'Choose the clone to apply the patchset in']) {
				stubbed.answers.push(undefined);
				await assert.rejects(window.run('forge.patchsets.apply', world.subject), isAbort);
				assert.deepEqual([stubbed.asked.at(-1), stubbed.offered[0]?.label], [title, 'Clone ~alice/quill and Apply…']);
				world.editorGit.open(fakeRepository('/pen'));
			}
		} finally {
			window.dispose();
		}
	});

	test('is named if the editor does not open it, and nothing is applied', async () => {
		world.editorGit.close(world.fake);
		await assert.rejects(applyAfterCloning(false), isAbort);
		assert.match(stubbed.shown.at(-1) ?? '', /^The clone is in .*second\. Open it, then apply the patchset\.$/);
	});
});
