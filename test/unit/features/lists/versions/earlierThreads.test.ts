import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from '../../../../../src/forge/forgeError.ts';
import { blobId } from '../../../../../src/patch/blobId.ts';
import type { PatchView } from '../../../../../src/patchDocuments/patchUri.ts';
import { editLine } from '../../../../support/editedFile.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { filesOfPatchset } from '../../../../support/samplePatchsets.ts';
import { versionWorld, type VersionWorld } from '../../../../support/versionWorld.ts';
import { openDocument, resetStub, stubbed, stubbedThreads } from '../../../../support/vscodeValues.ts';
import { wholeTexts } from '../../../../support/wholeWorld.ts';

const vscode = await import('vscode');
const { commentThreads } = await import('../../../../../src/features/lists/review/commentThreads.ts');
const { earlierThreads, toggleEarlier } = await import('../../../../../src/features/lists/versions/earlierThreads.ts');
const { earlierSetting } = await import('../../../../../src/features/lists/versions/earlierSetting.ts');
const { patchUri } = await import('../../../../../src/patchDocuments/patchUri.ts');
const { seriesOfPatchset } = await import('../../../../../src/patchDocuments/patchInSeries.ts');
const { patchFiles } = await import('../../../../../src/patchDocuments/patchFiles.ts');

const isFolded = 0;

interface Situation {
	readonly open: (mailId: number, fileIndex: number) => void;
	/** The same with the whole file, this as the patch leaves it. */
	readonly openWhole: (mailId: number, fileIndex: number, text: string) => void;
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
	const open = (mailId: number, view: PatchView): void => {
		const place = { connectionKey: connection.key, list: ref.list, patchsetId: 8, mailId, view };
		const uri = patchUri(place, 'src/fold.c');
		uris.push(uri);
		openDocument({ uri });
	};
	return {
		open: (mailId, fileIndex) => open(mailId, { kind: 'after', fileIndex }),
		openWhole(mailId, fileIndex, text) {
			open(mailId, { kind: 'wholeAfter', fileIndex, content: blobId(text), repository: world.repository });
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

	/** Puts another diff into the second patch of a version. */
	function rewrite({ lists: { world } }: VersionWorld, patchset: number, diff: string): void {
		const [one, old] = world.series.get(patchset) ?? [];
		assert.ok(one && old);
		const text = `Why.\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n');
		const { id, subject, patchsetId, createdMs, parentId, threadId } = old;
		const mail = makeMail({ id, isPatch: true, text, subject, patchsetId, createdMs, parentId, threadId });
		world.mails.splice(world.mails.indexOf(old), 1, mail);
		world.series.set(patchset, [one, mail]);
	}

	/** The second patch of the second version changes another line of `src/fold.c` than that of the first. */
	function apartWorld(): VersionWorld & { readonly after: string } {
		const world = versionWorld();
		const { diff, after } = editLine('src/fold.c', wholeTexts.first, 17, 'FOLD 17');
		rewrite(world, 8, diff);
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n');
		return { ...world, after };
	}

	/** As somebody does who opens all diffs of a version. */
	async function findWhole({ connection, ref: { list }, repository, asked }: VersionWorld, id: number): Promise<void> {
		const { wanted } = await seriesOfPatchset(connection, { list, id }, new AbortController().signal);
		await filesOfPatchset(connection.wholeFiles, { ...wanted, repository });
		asked();
	}

	test('are on their line of the whole file where the patch does not show it, for which nothing is asked', async () => {
		const world = apartWorld();
		await findWhole(world, 7);
		await findWhole(world, 8);
		const { openWhole, threads } = situation(world);
		openWhole(82, 0, world.after);
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
		assert.deepEqual(world.asked(), []);
	});

	test('are said to be elsewhere where the whole file of the earlier version is not known', async () => {
		const world = apartWorld();
		rewrite(world, 7, editLine('src/fold.c', `elsewhere\n${wholeTexts.first}`, 31, 'FOLD 30').diff);
		await findWhole(world, 8);
		const { openWhole, threads } = situation(world);
		openWhole(82, 0, world.after);
		await eventually(async () => (await threads()).map(([, label]) => label), ['On v1, where this line was different']);
		assert.deepEqual(world.asked(), []);
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
