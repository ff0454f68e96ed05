import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { PatchView } from '../../../../../src/editor/patchDocuments/patchUri.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { editLine } from '../../../../support/editedFile.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { someTimeMs } from '../../../../support/makeTicket.ts';
import { filesOfPatchset } from '../../../../support/samplePatchsets.ts';
import { versionWorld, type VersionWorld } from '../../../../support/versionWorld.ts';
import { openDocument, resetStub, stubbed, stubbedThreads } from '../../../../support/vscodeValues.ts';
import { wholeTexts } from '../../../../support/wholeWorld.ts';

const vscode = await import('vscode');
const { commentThreads } = await import('../../../../../src/features/review/comments/commentThreads.ts');
const { earlierSetting, earlierThreads, toggleEarlier } =
	await import('../../../../../src/features/review/versions/earlierThreads.ts');
const { readShown } = await import('../../../../../src/features/review/comments/documentPlaces.ts');
const { versionUri } = await import('../../../../../src/features/lists/subjects/versionUri.ts');
const { patchUri, placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { seriesOfPatchset } = await import('../../../../../src/editor/patchDocuments/patchInSeries.ts');
const { patchFiles } = await import('../../../../../src/editor/patchDocuments/patchFiles.ts');

const isFolded = 0;

interface Situation {
	readonly open: (mailId: number, fileIndex: number) => void;
	/** Opens the whole file with this text after the patch. */
	readonly openWhole: (mailId: number, fileIndex: number, text: string) => void;
	/** Opens a file that differs between the two versions, without a whole file. */
	readonly openCompared: () => void;
	/** Line, title, and first words of the threads in the documents of the second version. */
	readonly threads: () => Promise<readonly (readonly unknown[])[]>;
	readonly toggle: () => Promise<void>;
	/** Advances the clock and redraws the documents completely. */
	readonly drawAfter: (passedMs: number) => Promise<void>;
	/** Logged errors. */
	readonly failures: readonly unknown[];
}

function situation(world: VersionWorld): Situation {
	const { connection, ref } = world;
	const clock = fakeClock();
	const parts = listsParts(fakeConnections(connection), clock);
	const setting = earlierSetting();
	const uris: ReturnType<typeof patchUri>[] = [];
	const failures: unknown[] = [];
	const drawn = commentThreads(
		parts,
		patchFiles(parts),
		earlierThreads({ ...parts, problems: { ...parts.problems, log: (error) => failures.push(error) } }, setting),
		() => false,
		() => vscode.comments.createCommentController('replies', 'Replies'),
	);
	const open = (mailId: number, view: PatchView): void => {
		const patchsetId = mailId < 80 ? 7 : 8;
		const place = { connectionKey: connection.key, list: ref.list, patchsetId, mailId, view };
		const uri = patchUri(place, 'src/fold.c');
		uris.push(uri);
		openDocument({ uri });
	};
	return {
		open: (mailId, fileIndex) => open(mailId, { kind: 'after', fileIndex }),
		openWhole(mailId, fileIndex, text) {
			open(mailId, { kind: 'wholeAfter', fileIndex, content: blobId(text), repository: world.repository });
		},
		openCompared() {
			const pair = { connectionKey: connection.key, list: ref.list, earlier: 7, later: 8 };
			openDocument({ uri: versionUri({ pair, view: { kind: 'later', path: 'src/fold.c' } }, 'src/fold.c') });
		},
		threads: async () =>
			[...stubbedThreads]
				.filter(({ uri }) => placeOfPatchUri(vscode.Uri.parse(uri.toString()))?.patchsetId === 8)
				.map(({ range, label, comments, collapsibleState }) => {
					assert.equal(collapsibleState, isFolded);
					return [range.startLine + 1, label, ...comments.map(({ body }) => body.value.trim().split('\n')[0])];
				}),
		toggle: () => toggleEarlier(setting),
		failures,
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

	test('appear in the diff of the next version on their lines, with replies', async () => {
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

	/** Replaces the diff of a version’s second patch. */
	function rewrite({ lists: { world } }: VersionWorld, patchset: number, diff: string): void {
		const [one, old] = world.series.get(patchset) ?? [];
		assert.ok(one && old);
		const text = `Why.\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n');
		const { id, subject, patchsetId, createdMs, parentId, threadId } = old;
		const mail = makeMail({ id, isPatch: true, text, subject, patchsetId, createdMs, parentId, threadId });
		world.mails.splice(world.mails.indexOf(old), 1, mail);
		world.series.set(patchset, [one, mail]);
	}

	/** The second patches of the two versions change different lines of `src/fold.c`. */
	function apartWorld(): VersionWorld & { readonly after: string } {
		const world = versionWorld();
		const { diff, after } = editLine('src/fold.c', wholeTexts.first, 17, 'FOLD 17');
		rewrite(world, 8, diff);
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n');
		return { ...world, after };
	}

	const { signal } = new AbortController();

	/** As when a user opens all diffs of a version. */
	async function findWhole({ connection, ref: { list }, repository, asked }: VersionWorld, id: number): Promise<void> {
		const { wanted } = await seriesOfPatchset(connection, { list, id }, signal);
		await filesOfPatchset(connection.wholeFiles, { ...wanted, repository });
		asked();
	}

	/** As when a user opens the diff of one file in a version’s second patch. */
	async function findFile(
		{ connection, ref: { list }, repository, asked }: VersionWorld,
		id: number,
		file: number,
	): Promise<void> {
		const { wanted } = await seriesOfPatchset(connection, { list, id }, signal);
		const found = await connection.wholeFiles
			.of({ ...wanted, repository })
			.look('first')
			.file({ patch: 1, file }, signal);
		assert.equal(found?.whole.kind, 'verified');
		asked();
	}

	/** Like `apartWorld` with comments on two files, `src/fold.c` and `src/moved.c`. */
	function twoFilesApart(): VersionWorld & { readonly after: readonly [fold: string, moved: string] } {
		const world = versionWorld();
		const { first, theirs } = wholeTexts;
		const [fold, moved] = [editLine('src/fold.c', first, 17, 'FOLD 17'), editLine('src/moved.c', theirs, 12, 'MOVED')];
		const said = editLine('src/fold.c', first, 30, 'FOLD 30').diff + editLine('src/moved.c', theirs, 25, 'SAID').diff;
		rewrite(world, 7, said);
		rewrite(world, 8, fold.diff + moved.diff);
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n');
		world.reply(92, 'alice', '>  moved 24\n\nAnd here?\n');
		return { ...world, after: [fold.after, moved.after] };
	}

	test('are on their line of the whole file outside the patch, without a request', async () => {
		const world = apartWorld();
		await findWhole(world, 7);
		await findWhole(world, 8);
		const { openWhole, threads } = situation(world);
		openWhole(82, 0, world.after);
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
		assert.deepEqual(world.asked(), []);
	});

	test('show that the line differs if the whole file of the earlier version is unknown', async () => {
		const world = apartWorld();
		rewrite(world, 7, editLine('src/fold.c', `elsewhere\n${wholeTexts.first}`, 31, 'FOLD 30').diff);
		await findWhole(world, 8);
		const { openWhole, threads } = situation(world);
		openWhole(82, 0, world.after);
		await eventually(async () => (await threads()).map(([, label]) => label), ['On v1, where this line was different']);
		assert.deepEqual(world.asked(), []);
	});

	test('move to their line after another file of the patch is found', async () => {
		const world = twoFilesApart();
		await findFile(world, 8, 0);
		const { openWhole, threads } = situation(world);
		openWhole(82, 0, world.after[0]);
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
		await findFile(world, 8, 1);
		openWhole(82, 1, world.after[1]);
		await eventually(threads, [
			[29, 'On v1', 'Why here?'],
			[26, 'On v1', 'And here?'],
		]);
		assert.deepEqual(world.asked(), []);
	});

	/** The second version changes a file that changed since the first one, so each needs its own search. */
	function rebasedWorld(): VersionWorld & { readonly before: string; readonly after: string } {
		const world = versionWorld();
		const { first, theirs } = wholeTexts;
		const [old, young] = [
			editLine('src/moved.c', theirs, 25, 'SAID'),
			editLine('src/moved.c', `first\n${theirs}`, 12, 'MOVED'),
		];
		rewrite(world, 7, editLine('src/fold.c', first, 30, 'FOLD 30').diff + old.diff);
		rewrite(world, 8, editLine('src/fold.c', first, 30, 'FOLD 30').diff + young.diff);
		world.reply(91, 'alice', '>  moved 24\n\nAnd here?\n');
		const { repositories, repository } = world;
		const log = `${refText(repository)} HEAD`;
		const since = repositories.world.logs.get(log) ?? [];
		const root = repositories.world.grow({ src: { 'fold.c': wholeTexts.fold, 'moved.c': `first\n${theirs}` } });
		const made = repositories.world.commit(repository, 'HEAD', root);
		repositories.world.logs.set(log, [{ ...made, timestampMs: someTimeMs + 700 }, ...since]);
		return { ...world, before: old.after, after: young.after };
	}

	test('move to their line after the whole file of the earlier version is found', async () => {
		const world = rebasedWorld();
		await findFile(world, 8, 1);
		const { openWhole, threads } = situation(world);
		openWhole(82, 1, world.after);
		await eventually(threads, [[1, 'On v1, where this line was different', 'And here?']]);
		await findFile(world, 7, 1);
		const [shown] = stubbedThreads;
		assert.equal(shown?.comments[0]?.body.value, 'And here?\n\n> moved 24');
		openWhole(72, 1, world.before);
		await eventually(threads, [[27, 'On v1', 'And here?']]);
		assert.ok(stubbedThreads.has(shown), 'it is the same thread, which somebody may have unfolded');
		assert.equal(shown.comments[0]?.body.value, 'And here?');
		assert.deepEqual(world.asked(), []);
	});

	test('move to their line when the changes between versions open', async () => {
		const world = rebasedWorld();
		await findFile(world, 8, 1);
		const { openWhole, openCompared, threads } = situation(world);
		openWhole(82, 1, world.after);
		await eventually(threads, [[1, 'On v1, where this line was different', 'And here?']]);
		await findFile(world, 7, 1);
		openCompared();
		await eventually(threads, [[27, 'On v1', 'And here?']]);
		assert.deepEqual(world.asked(), []);
	});

	/** Labels of threads on the earlier version in the document of a whole file. */
	async function askedDirectly(given: VersionWorld, file: number, text: string) {
		let looks = 0;
		let changes = 0;
		const { wholeFiles } = given.connection;
		const connection: Connection = {
			...given.connection,
			wholeFiles: {
				...wholeFiles,
				withoutRequests(series) {
					looks += 1;
					return wholeFiles.withoutRequests(series);
				},
			},
		};
		const connections = fakeConnections(connection);
		const parts = listsParts(connections);
		const earlier = earlierThreads(parts, earlierSetting());
		earlier.onDidChange(() => (changes += 1));
		const { list } = given.ref;
		const view = { kind: 'wholeAfter', fileIndex: file, content: blobId(text), repository: given.repository } as const;
		const uri = patchUri({ connectionKey: connection.key, list, patchsetId: 8, mailId: 82, view }, 'src/fold.c');
		const shown = await readShown(connections, patchFiles(parts), uri, signal);
		assert.ok(shown);
		const review = await connection.reviews.read({ list, id: 8 }, signal);
		return {
			connections,
			connection,
			/** Draws the document. `isNew` draws another document with the same content. */
			labels: async (isNew = false) => earlier.on(review, isNew ? { ...shown } : shown).map(({ label }) => label),
			looks: async () => looks,
			changes: () => changes,
		};
	}

	test('search whole files once per document without a request, and again for new ones', async () => {
		const world = rebasedWorld();
		await findFile(world, 8, 1);
		const { labels, looks, changes } = await askedDirectly(world, 1, world.after);
		await eventually(labels, ['On v1, where this line was different']);
		assert.deepEqual([await looks(), changes()], [1, 1], 'the earlier version');
		world.lists.world.calls.length = 0;
		await labels(true);
		await eventually(looks, 2);
		await labels();
		await findFile(world, 7, 1);
		await labels(true);
		await eventually(labels, ['On v1']);
		assert.deepEqual([await looks(), changes()], [4, 2], 'both versions');
		await labels(true);
		assert.deepEqual([await looks(), world.asked(), world.lists.world.calls], [4, [], []], 'all is known');
	});

	test('search again when another document draws during the search', async () => {
		const world = rebasedWorld();
		await findFile(world, 8, 1);
		const { labels, looks } = await askedDirectly(world, 1, world.after);
		assert.deepEqual(await labels(), []);
		assert.deepEqual(await labels(true), []);
		await eventually(looks, 2);
		await eventually(labels, ['On v1, where this line was different']);
	});

	test('move to their line when shown again after a file was found in between', async () => {
		const world = rebasedWorld();
		await findFile(world, 8, 1);
		const { openWhole, openCompared, threads, toggle } = situation(world);
		openWhole(82, 1, world.after);
		await eventually(threads, [[1, 'On v1, where this line was different', 'And here?']]);
		await toggle();
		await findFile(world, 7, 1);
		openCompared();
		await eventually(threads, []);
		await toggle();
		await eventually(threads, [[27, 'On v1', 'And here?']]);
	});

	test('are dropped when their account signs out', async () => {
		const world = apartWorld();
		await findWhole(world, 8);
		const { labels, connection, connections } = await askedDirectly(world, 0, world.after);
		await eventually(labels, ['On v1']);
		connections.replace();
		connections.replace(connection);
		assert.deepEqual(await labels(), []);
		await eventually(labels, ['On v1']);
		connections.replace(connection);
		assert.deepEqual(await labels(), ['On v1'], 'it stays signed in');
	});

	test('load again half a minute after a failure, but not with each draw', async () => {
		const world = versionWorld();
		world.reply(91, 'alice', '>  fold 29\n\nWhy here?\n');
		const asked = async (): Promise<number> => world.lists.world.calls.filter((call) => call === 'thread 71').length;
		world.lists.world.before = (call) => {
			if (call === 'thread 71') {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const { open, threads, drawAfter, failures } = situation(world);
		open(82, 0);
		await eventually(async () => failures.length, 1);
		await drawAfter(0);
		await drawAfter(29_999);
		assert.equal(await asked(), 1);
		await drawAfter(1);
		await eventually(async () => failures.length, 2);
		world.lists.world.before = () => undefined;
		await drawAfter(0);
		assert.equal(await asked(), 2);
		await drawAfter(30_000);
		await eventually(threads, [[29, 'On v1', 'Why here?']]);
	});

	test('toggle by command, in open diffs too', async () => {
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
