import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { PatchView } from '../../../../../src/patchDocuments/patchUri.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { versionWorld, type VersionWorld } from '../../../../support/versionWorld.ts';
import { openDocument, resetStub, stubbed, stubbedThreads } from '../../../../support/vscodeValues.ts';

const vscode = await import('vscode');
const { commentThreads } = await import('../../../../../src/features/lists/review/commentThreads.ts');
const { earlierThreads, toggleEarlier } = await import('../../../../../src/features/lists/versions/earlierThreads.ts');
const { earlierSetting } = await import('../../../../../src/features/lists/versions/earlierSetting.ts');
const { patchUri } = await import('../../../../../src/patchDocuments/patchUri.ts');
const { patchFiles } = await import('../../../../../src/patchDocuments/patchFiles.ts');

const isFolded = 0;

interface Situation {
	readonly open: (mailId: number, fileIndex: number) => void;
	/** Line, title, and first words of the threads that stand in the documents. */
	readonly threads: () => Promise<readonly (readonly unknown[])[]>;
	readonly toggle: () => Promise<void>;
}

function situation(world: VersionWorld): Situation {
	const { connection, ref } = world;
	const parts = listsParts(fakeConnections(connection));
	const setting = earlierSetting(vscode.workspace);
	commentThreads({
		...parts,
		files: patchFiles(parts),
		earlier: earlierThreads({ ...parts, setting }),
		isBeingTyped: () => false,
		maker: () => vscode.comments.createCommentController('replies', 'Replies'),
	});
	return {
		open(mailId, fileIndex) {
			const view: PatchView = { kind: 'after', fileIndex };
			openDocument({
				uri: patchUri({ connectionKey: connection.key, list: ref.list, patchsetId: 8, mailId, view }, 'src/fold.c'),
			});
		},
		threads: async () =>
			[...stubbedThreads].map(({ range, label, comments, collapsibleState }) => {
				assert.equal(collapsibleState, isFolded);
				return [range.startLine + 1, label, ...comments.map(({ body }) => body.value.trim().split('\n').at(-1))];
			}),
		toggle: () => toggleEarlier(setting),
	};
}

suite('comments on an earlier version', () => {
	setup(() => resetStub());

	test('are in the diff of the next one, on the lines that they were about, with the replies to them', async () => {
		const world = versionWorld();
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n\n> +FOLD 30\n\nIn words?\n');
		world.reply(92, 'bob', '> In words?\n\nNext time\n', 91);
		world.reply(93, 'carol', '>  fold 31\n\nFine.\n');
		const { open, threads } = situation(world);
		open(82, 0);
		await eventually(threads, [
			[29, 'On v1', 'Why here?'],
			[30, 'On v1, where this line was different', 'In words?', 'Next time'],
		]);
	});

	test('are hidden and shown again by command, in open diffs too', async () => {
		const world = versionWorld();
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n');
		const { open, threads, toggle } = situation(world);
		open(82, 0);
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
		await toggle();
		assert.equal(stubbed.shown.at(-1), 'Your comments on earlier versions are hidden.');
		await eventually(threads, []);
		await toggle();
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
	});
});
