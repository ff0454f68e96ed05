import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import type { PatchView } from '../../../../../src/patchDocuments/patchUri.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
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
	/** Draws the documents again, to the end, after so much time. */
	readonly drawAfter: (passedMs: number) => Promise<void>;
}

function situation(world: VersionWorld): Situation {
	const { connection, ref } = world;
	const clock = fakeClock();
	const parts = { ...listsParts(fakeConnections(connection)), clock };
	const setting = earlierSetting(vscode.workspace);
	const uris: ReturnType<typeof patchUri>[] = [];
	const drawn = commentThreads({
		...parts,
		files: patchFiles(parts),
		earlier: earlierThreads({ ...parts, setting }),
		isBeingTyped: () => false,
		maker: () => vscode.comments.createCommentController('replies', 'Replies'),
	});
	return {
		open(mailId, fileIndex) {
			const view: PatchView = { kind: 'after', fileIndex };
			const uri = patchUri(
				{ connectionKey: connection.key, list: ref.list, patchsetId: 8, mailId, view },
				'src/fold.c',
			);
			uris.push(uri);
			openDocument({ uri });
		},
		threads: async () =>
			[...stubbedThreads].map(({ range, label, comments, collapsibleState }) => {
				assert.equal(collapsibleState, isFolded);
				return [range.startLine + 1, label, ...comments.map(({ body }) => body.value.trim().split('\n').at(-1))];
			}),
		toggle: () => toggleEarlier(setting),
		async drawAfter(passedMs) {
			clock.advance(passedMs);
			await toggleEarlier(setting);
			await toggleEarlier(setting);
			await Promise.all(uris.map((uri) => drawn.unfold(uri, 'none')));
		},
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

	test('that cannot be read are asked for again half a minute later, and not with every drawing', async () => {
		const world = versionWorld();
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n');
		const asked = async (): Promise<number> => world.lists.world.calls.filter((call) => call === 'thread 71').length;
		world.lists.world.before = (call) => {
			if (call === 'thread 71') {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const { open, threads, drawAfter } = situation(world);
		open(82, 0);
		await eventually(asked, 1);
		await drawAfter(0);
		await drawAfter(29_999);
		assert.equal(await asked(), 1);
		await drawAfter(1);
		await eventually(asked, 2);
		world.lists.world.before = () => undefined;
		await drawAfter(0);
		assert.equal(await asked(), 2);
		await drawAfter(30_000);
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
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
