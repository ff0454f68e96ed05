import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { ListsDesk } from '../../../../../src/features/lists/parts/listsDesk.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { bringToFront, stubbedFront } from '../../../../support/stubbedFront.ts';
import { resetStub, stubbed, Uri as UriClass } from '../../../../support/vscodeValues.ts';
import { eventually } from '../../../../support/eventually.ts';
import { numberedLines } from '../../../../support/editedFile.ts';
import { wholeTexts, wholeWorld, type WholeWorld } from '../../../../support/wholeWorld.ts';

const { diffs } = await import('../../../../../src/features/lists/diffs/diffsFeature.ts');
const { placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');

const never = new AbortController().signal;
const unreachable = new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });

interface Desk extends WholeWorld {
	readonly run: (command: CommandId, subject: unknown) => Promise<void>;
	readonly file: (mailId: number, fileIndex?: number, at?: number) => unknown;
	/** What the last diff compares, and its title. */
	readonly opened: () => { readonly sides: readonly string[]; readonly title: string };
	readonly text: (uri: Uri) => Promise<string>;
	readonly patchset: unknown;
}

/** A document in a word: of which mail, what it shows, and of a whole file the beginning of its id. */
function shown(uri: Uri): string {
	const place = placeOfPatchUri(uri) ?? assert.fail(String(uri));
	const { view } = place;
	const content = view.kind === 'wholeBefore' || view.kind === 'wholeAfter' ? ` ${view.content.slice(0, 7)}` : '';
	return `${place.mailId} ${view.kind}${content}`;
}

function isUri(value: unknown): value is Uri {
	return value instanceof UriClass;
}

function lastUris(): readonly Uri[] {
	return [stubbed.passed.at(-1), ...(stubbed.passedMore.at(-1) ?? [])].flat(2).filter(isUri);
}

function desk(world: WholeWorld = wholeWorld(), changes: Partial<ListsDesk> = {}): Desk {
	const parts = { ...listsParts(fakeConnections(world.connection)), ...changes };
	const { commands, files } = diffs(parts);
	const { connection, ref } = world;
	return {
		...world,
		patchset: { kind: 'patchset', connectionKey: connection.key, ref },
		file: (mailId, fileIndex = 0, at) => ({
			kind: 'patchFile',
			connectionKey: connection.key,
			list: ref.list,
			patchsetId: 7,
			mailId,
			fileIndex,
			...(at === undefined ? {} : { at }),
		}),
		run: async (command, subject) => commands[command]?.(subject, never, []),
		opened: () => ({
			sides: lastUris().map(shown),
			title:
				[stubbed.passed.at(-1), ...(stubbed.passedMore.at(-1) ?? [])].filter((each) => typeof each === 'string')[0] ??
				'',
		}),
		text: async (uri) => new TextDecoder().decode(await files.readFile(uri)),
	};
}

const short = (text: string): string => blobId(text).slice(0, 7);
const { fold, first, second, theirs } = wholeTexts;

suite('diffs of patches', () => {
	setup(() => resetStub());

	test('show all of a file that is found, say that it is verified, and ask for nothing again', async () => {
		const { run, file, opened, text, asked } = desk();
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(opened(), {
			sides: [`71 wholeBefore ${short(fold)}`, `71 wholeAfter ${short(first)}`],
			title: 'fold.c (1/2, verified)',
		});
		assert.ok(asked().length > 0);
		const [before, after] = lastUris();
		assert.deepEqual([before && (await text(before)), after && (await text(after))], [fold, first]);
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(asked(), []);
	});

	test('of a patchset need its patches in one request, and no mail by itself', async () => {
		const { run, file, lists } = desk();
		await run('forge.patchsets.openDiff', file(72));
		const calls = lists.world.calls.filter((call) => /^(?:email|patches) /.test(call));
		assert.deepEqual(calls, ['patches 7 0']);
	});

	test('of a later patch begin with what the one before leaves', async () => {
		const { run, file, opened } = desk();
		await run('forge.patchsets.openDiff', file(72));
		assert.deepEqual(opened(), {
			sides: [`72 wholeBefore ${short(first)}`, `72 wholeAfter ${short(second)}`],
			title: 'fold.c (2/2, verified)',
		});
	});

	test('say where a patch was applied to another version, and where only the patch can be shown', async () => {
		const { run, file, opened } = desk();
		await run('forge.patchsets.openDiff', file(72, 1));
		const { title, sides } = opened();
		assert.equal(title, 'moved.c (2/2, applied to another version of the file)');
		assert.equal(sides[0], `72 wholeBefore ${short(theirs)}`);
		await run('forge.patchsets.openDiff', file(72, 2));
		assert.deepEqual(opened(), { sides: ['72 before', '72 after'], title: 'gone.c (2/2, only what the patch shows)' });
	});

	test('open at the line that is meant', async () => {
		const { run, file, lists } = desk();
		const body = lists.world.mails[0]?.envelope.split('\r\n\r\n').slice(1).join('\n\n').replaceAll('\r\n', '\n') ?? '';
		for (const line of ['+FOLD 10', '-fold 10']) {
			await run('forge.patchsets.openDiff', file(71, 0, body.indexOf(line) + 3));
			const options = stubbed.passedMore.at(-1)?.at(-1);
			assert.match(JSON.stringify(options), /"line":9/, line);
		}
	});

	test('of a patch and of a series are beside each other, each with how sure it is', async () => {
		const { run, opened, patchset } = desk();
		await run('forge.patchsets.openDiff', patchset);
		const { sides, title } = opened();
		assert.equal(title, 'v1 fold: step 1 (verified: 2 of 4)');
		assert.deepEqual(
			sides.filter((_, at) => at % 3 === 1),
			[
				`71 wholeBefore ${short(fold)}`,
				`72 wholeBefore ${short(first)}`,
				`72 wholeBefore ${short(theirs)}`,
				'72 before',
			],
		);
		const labels = lastUris().map(({ query }) => /"in":" \(([^"]*)\)"/.exec(query)?.[1]);
		assert.deepEqual(
			labels.filter((_, at) => at % 3 === 1),
			[
				'1\u22152, verified',
				'2\u22152, verified',
				'2\u22152, applied to another version of the file',
				'2\u22152, only what the patch shows',
			],
		);
	});

	test('of a series as a whole go from before the first patch to behind the last', async () => {
		const { run, opened, patchset } = desk();
		await run('forge.patchsets.openCombined', patchset);
		const { sides, title } = opened();
		assert.equal(title, 'v1 fold: step 1 (verified: 1 of 3)');
		assert.deepEqual(sides.slice(0, 3), [
			`72 wholeAfter ${short(second)}`,
			`71 wholeBefore ${short(fold)}`,
			`72 wholeAfter ${short(second)}`,
		]);
		assert.equal(sides.length, 9);
	});

	test('show what the patch has at once when the search is cancelled', async () => {
		const world = wholeWorld();
		const { run, file, opened } = desk(world);
		let cancelled: Promise<void> | undefined;
		world.repositories.world.before = () => (cancelled ??= cancelAnnounced(/^Searching /));
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, only what the patch shows)');
		world.repositories.world.before = () => undefined;
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, verified)');
	});

	test('show what the patch has where the forge does not answer, and ask nothing', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		world.repositories.world.before = () => Promise.reject(unreachable);
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, only what the patch shows)');
		assert.deepEqual(stubbed.asked, []);
		world.repositories.world.before = () => Promise.reject(new TypeError('Broken'));
		await assert.rejects(run('forge.patchsets.openDiff', file(71)), /Broken/);
	});

	test('search again only when somebody says so, with the document in front', async () => {
		const gone = numberedLines('gone');
		const contents = new Map<string, Uint8Array>();
		const { run, file, opened } = desk(wholeWorld({ clones: { contents: async () => contents } }));
		await run('forge.patchsets.openDiff', file(72, 2));
		contents.set(blobId(gone).slice(0, 7), Buffer.from(gone));
		await run('forge.patchsets.openDiff', file(72, 2));
		assert.equal(opened().title, 'gone.c (2/2, only what the patch shows)');
		bringToFront(lastUris().at(-1) ?? assert.fail());
		await run('forge.patchsets.searchOlder', undefined);
		assert.equal(opened().title, 'gone.c (2/2, verified)');
		assert.deepEqual(stubbed.shown, []);
	});

	test('say so where a search in older commits has found nothing', async () => {
		const { run, file } = desk(wholeWorld());
		await run('forge.patchsets.searchOlder', file(72, 2));
		assert.deepEqual(stubbed.shown, ['Not all files were found, and there are no older commits to search.']);
	});

	test('lead to the choice of a repository where the forge does not have the one that the patches belong to', async () => {
		const world = wholeWorld();
		const { run, file, opened } = desk(world);
		world.repositories.world.before = (call) =>
			/^(?:blob|log|tree)/.test(call) ? Promise.reject(new ForgeError({ kind: 'notFound' })) : undefined;
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, only what the patch shows)');
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.equal(stubbedFront.status.command?.title, 'Choose Repository…');
		await run('forge.patchsets.searchOlder', file(71));
		assert.deepEqual(stubbed.shown, ['Not all files were found. Choose the repository of these patches again.']);
	});

	test('are searched for again when they are opened again after the forge did not answer, and the log says why', async () => {
		const logged: unknown[] = [];
		const world = wholeWorld();
		const { run, file, opened } = desk(world, { problems: { ...quietProblems, log: (error) => logged.push(error) } });
		world.repositories.world.before = () => Promise.reject(unreachable);
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, only what the patch shows)');
		assert.deepEqual(logged, [unreachable]);
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.equal(stubbedFront.status.command?.title, 'Try Again');
		world.repositories.world.before = () => undefined;
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, verified)');
	});

	test('search again for all files of a series, from its row', async () => {
		const gone = numberedLines('gone');
		const contents = new Map<string, Uint8Array>();
		const { run, opened, patchset } = desk(wholeWorld({ clones: { contents: async () => contents } }));
		await run('forge.patchsets.openDiff', patchset);
		contents.set(blobId(gone).slice(0, 7), Buffer.from(gone));
		await run('forge.patchsets.searchOlder', patchset);
		assert.equal(opened().title, 'v1 fold: step 1 (verified: 3 of 4)');
	});
});

suite('the repository that patches belong to', () => {
	setup(() => resetStub());

	const question = 'Choose the repository of patches to ~alice/quill-devel';

	test('is asked for where nothing tells it, and remembered', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('~alice/lamp');
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(stubbed.asked, [question]);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['~alice/lamp', 'Another repository…', 'None on this forge'],
		);
		assert.equal(opened().title, 'fold.c (1/2, verified)');
		await run('forge.patchsets.openDiff', file(72));
		await desk(world).run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, verified)');
		assert.deepEqual(stubbed.asked, [question]);
	});

	test('is asked for once in a window where the question is closed', async () => {
		const { run, file, opened } = desk(wholeWorld({ name: 'lamp' }));
		await run('forge.patchsets.openDiff', file(71));
		await run('forge.patchsets.openDiff', file(72));
		assert.deepEqual(stubbed.asked, [question]);
		assert.equal(opened().title, 'fold.c (2/2, only what the patch shows)');
		stubbed.answers.push('~alice/lamp');
		await run('forge.patchsets.searchOlder', file(72));
		assert.deepEqual(stubbed.asked, [question, question]);
		assert.equal(opened().title, 'fold.c (2/2, verified)');
	});

	test('is not asked for where a clone has the files', async () => {
		const contents = new Map([[blobId(fold).slice(0, 7), Buffer.from(fold)]]);
		const clones = { contents: async () => contents };
		const { run, file, opened } = desk(wholeWorld({ name: 'lamp', clones }));
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, verified)');
		assert.deepEqual(stubbed.asked, []);
	});

	test('is that of a clone, of which the forge is not asked', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const clue = { ref: world.repository, list: world.ref.list };
		const { run, file, opened, asked } = desk(world, { cloneClues: async () => [clue] });
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2, verified)');
		assert.deepEqual(
			asked().filter((call) => call.startsWith('repositor')),
			[],
		);
	});

	test('may be none, and is corrected by a command, which opens the file again', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('None on this forge');
		await run('forge.patchsets.openDiff', file(71));
		await desk(world).run('forge.patchsets.openDiff', file(71));
		assert.equal(stubbed.asked.length, 1);
		assert.equal(opened().title, 'fold.c (1/2, only what the patch shows)');
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.deepEqual(stubbedFront.status.command?.command, 'forge.patchsets.chooseRepository');
		assert.equal(
			stubbedFront.status.detail,
			'Showing changed lines only: you chose that these patches have no repository on this forge.',
		);
		stubbed.answers.push('Another repository…', '~alice/lamp');
		await run('forge.patchsets.chooseRepository', undefined);
		assert.equal(opened().title, 'fold.c (1/2, verified)');
		assert.deepEqual(world.connection.wholeFiles.choices.of(world.ref.list, undefined), world.repository);
	});

	test('is what was typed into the list, where that is a name', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('~alice/lamp\tAnother repository…');
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(stubbed.asked, [question]);
		assert.equal(opened().title, 'fold.c (1/2, verified)');
	});

	test('that does not exist is said to be so, and nothing is remembered', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('Another repository…', '~alice/missing');
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(world.connection.wholeFiles.choices.of(world.ref.list, undefined), undefined);
		assert.equal(opened().title, 'fold.c (1/2, only what the patch shows)');
	});
});

suite('how sure a diff is', () => {
	setup(() => resetStub());

	test('is said of the document in front, with what can be done', async () => {
		const { run, file } = desk();
		const { status } = stubbedFront;
		await run('forge.patchsets.openDiff', file(71));
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.equal(status.text, 'verified');
		assert.match(status.detail ?? '', /^Both sides have the ids that the patch states/);
		assert.equal(stubbedFront.status.command, undefined);
		await run('forge.patchsets.openDiff', file(72, 1));
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.equal(
			status.detail,
			'Applied to another version of the file: the version that the patch was made from was not found. Other lines of the file may differ. Largest offset in lines: 2. Context lines ignored (fuzz): 0.',
		);
		assert.equal(status.severity, 1);
		await run('forge.patchsets.openDiff', file(72, 2));
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.match(status.detail ?? '', /^Showing changed lines only: the base file wasn't found/);
		assert.equal(status.command?.command, 'forge.patchsets.chooseRepository', 'the whole history was searched');
	});

	test('is found again after the window was opened anew', async () => {
		const world = wholeWorld();
		await desk(world).run('forge.patchsets.openDiff', desk(world).file(71));
		const after = lastUris().at(-1) ?? assert.fail();
		resetStub();
		desk(world);
		stubbedFront.status.text = 'verified';
		bringToFront(after);
		const { text, busy } = stubbedFront.status;
		assert.deepEqual([text, busy], ['Patch', true], 'while it is searched for');
		await eventually(async () => stubbedFront.status.text, 'verified');
		assert.equal(stubbedFront.status.busy, false);
	});
});
