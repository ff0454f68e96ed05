import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { FormedFacts } from 'patchmail/series/listedPatchset.ts';
import type { PatchsetTool } from 'sourcehut/port/list.ts';
import type { HeadFacts } from '../../../../../src/features/review/patchset/headView.ts';
import type { PatchsetHeadView } from '../../../../../src/pages/protocol/patchsetProtocol.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';

const { headView } = await import('../../../../../src/features/review/patchset/headView.ts');

const { signal: never } = new AbortController();

/** The head of a patchset whose cover letter has this `From` header. */
async function headOf(from: string, submitter: string): Promise<PatchsetHeadView> {
	const { api, ref, world } = patchsetWorld();
	for (const mails of [world.mails, world.series.get(ref.id) ?? []]) {
		const at = mails.findIndex(({ id }) => id === 20);
		const cover = mails[at];
		assert.ok(cover);
		mails.splice(at, 1, { ...cover, envelope: cover.envelope.replace(/^From: .*$/m, `From: ${from}`) });
	}
	const connection = listConnection(api);
	const standing = await connection.reviews.read(ref, never);
	const patchset = { ...(await connection.lists.patchset(ref, never)), submitter };
	return headView({ ...nothingElse, ref, patchset, standing });
}

const nothingElse = {
	messageId: undefined,
	seen: [],
	me: '~alice',
	check: undefined,
	canApply: true,
	mine: undefined,
	html: (details: string): string => `<p>${details}</p>`,
} as const;

const formed: FormedFacts = {
	threadPatchsetId: undefined,
	kept: [],
	isComplete: true,
	isByOther: false,
	isSenderCertain: true,
	repeatedById: undefined,
	ofServer: [],
};

suite('patchset page head', () => {
	test('shows name and address of the sender', async () => {
		const { submitter } = await headOf('Bob <bob@forge.test>', 'Bob <bob@forge.test>');
		assert.deepEqual(submitter, { name: 'Bob', address: 'bob@forge.test' });
	});

	test('shows several senders as written, and picks none', async () => {
		const both = 'Bob <bob@forge.test>, Mallory <mallory@elsewhere.test>';
		const { submitter } = await headOf(both, both);
		assert.deepEqual(submitter, { name: both, address: '' });
	});

	const ref = { list: { owner: '~bob', name: 'devel' }, id: 1 };
	const patchset = makePatchset({ id: 1 });

	test('shows the accounts that may set the status according to the forge', () => {
		const whoMay = (mine: HeadFacts['mine'], me = '~alice'): readonly [string, boolean] => {
			const view = headView({ ...nothingElse, ref, patchset, standing: undefined, mine, me });
			return [view.whoMay, view.canSetStatus];
		};
		// Without known permissions, only a rejection by the forge is certain.
		assert.deepEqual(whoMay(undefined), ['Only ~bob, who owns the list, can set the status.', true]);
		assert.deepEqual(whoMay(['browse', 'post']), ['Only moderators of the list can set the status.', false]);
		assert.deepEqual(whoMay(['browse', 'moderate']), ['You can set the status.', true]);
		assert.deepEqual(whoMay(undefined, '~bob'), ['You can set the status.', true]);
		assert.deepEqual(whoMay(['browse'], '~bob'), ['You can set the status.', true]);
	});

	test('shows no status for patches that the forge has no patchset of', () => {
		const head = (facts: FormedFacts): PatchsetHeadView =>
			headView({ ...nothingElse, ref, patchset: { ...patchset, formed: facts }, standing: undefined, me: '~bob' });
		const { status, whoMay, canSetStatus } = head(formed);
		assert.deepEqual(
			[status.text, whoMay, canSetStatus],
			['No status', 'The forge has no patchset of these messages, so it keeps no status for them.', false],
		);
		assert.equal(head({ ...formed, threadPatchsetId: 1 }).status.text, 'Proposed');
	});

	test('shows the state of each tool, up to a limit', () => {
		const tools = Array.from({ length: 60 }, (_, id): PatchsetTool => {
			const state = (['failed', 'success', 'other:queued'] as const)[id % 3] ?? 'failed';
			return { id, updatedMs: id, state, details: `job ${id}` };
		});
		const shown = headView({ ...nothingElse, ref, patchset: { ...patchset, tools }, standing: undefined }).tools;
		assert.equal(shown.length, 50);
		assert.deepEqual(shown.slice(0, 3), [
			{ icon: 'failed', text: 'CI failed', html: '<p>job 0</p>', updatedAtMs: 0 },
			{ icon: 'success', text: 'CI passed', html: '<p>job 1</p>', updatedAtMs: 1 },
			{ icon: 'unknownState', text: 'CI: queued', html: '<p>job 2</p>', updatedAtMs: 2 },
		]);
	});
});
