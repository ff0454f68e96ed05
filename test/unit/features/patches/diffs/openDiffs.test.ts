import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { bringToFront, stubbedFront } from '../../../../support/stubbedFront.ts';
import { resetStub, stubbed, Uri as UriClass } from '../../../../support/vscodeValues.ts';
import { eventually } from '../../../../support/eventually.ts';
import { numberedLines } from '../../../../support/editedFile.ts';
import { wholeTexts, wholeWorld, type WholeWorld } from '../../../../support/wholeWorld.ts';

const { diffs } = await import('../../../../../src/features/patches/diffs/diffsFeature.ts');
const { placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');

const never = new AbortController().signal;
const unreachable = new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' });

interface Desk extends WholeWorld {
	readonly run: (command: CommandId, subject: unknown) => Promise<void>;
	readonly file: (mailId: number, fileIndex?: number, at?: number) => unknown;
	/** URIs and title of the last opened diff. */
	readonly opened: () => { readonly sides: readonly string[]; readonly title: string };
	readonly text: (uri: Uri) => Promise<string>;
	readonly patchset: unknown;
}

/** A document in short: its message, its view, and the first digits of a whole file’s blob id. */
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

function desk(world: WholeWorld = wholeWorld(), changes: Partial<ListsContext> = {}): Desk {
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

	test('show the whole file, marked as verified, and cache it', async () => {
		const { run, file, opened, text, asked } = desk();
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(opened(), {
			sides: [`71 wholeBefore ${short(fold)}`, `71 wholeAfter ${short(first)}`],
			title: 'fold.c (1/2)',
		});
		assert.ok(asked().length > 0);
		const [before, after] = lastUris();
		assert.deepEqual([before && (await text(before)), after && (await text(after))], [fold, first]);
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(asked(), []);
	});

	test('load the patches of a patchset in one request', async () => {
		const { run, file, lists } = desk();
		await run('forge.patchsets.openDiff', file(72));
		const calls = lists.world.calls.filter((call) => /^(?:email|patches) /.test(call));
		assert.deepEqual(calls, ['patches 7 0']);
	});

	test('start a later patch from the result of the previous one', async () => {
		const { run, file, opened } = desk();
		await run('forge.patchsets.openDiff', file(72));
		assert.deepEqual(opened(), {
			sides: [`72 wholeBefore ${short(first)}`, `72 wholeAfter ${short(second)}`],
			title: 'fold.c (2/2)',
		});
	});

	test('say if a patch was applied to another version of the file, or only the patch is available', async () => {
		const { run, file, opened } = desk();
		await run('forge.patchsets.openDiff', file(72, 1));
		const { title, sides } = opened();
		assert.equal(title, 'moved.c (2/2, applied to another version of the file)');
		assert.equal(sides[0], `72 wholeBefore ${short(theirs)}`);
		await run('forge.patchsets.openDiff', file(72, 2));
		assert.deepEqual(opened(), { sides: ['72 before', '72 after'], title: 'gone.c (2/2)' });
	});

	test('open at the given line', async () => {
		const { run, file, lists } = desk();
		const body = lists.world.mails[0]?.envelope.split('\r\n\r\n').slice(1).join('\n\n').replaceAll('\r\n', '\n') ?? '';
		for (const line of ['+FOLD 10', '-fold 10']) {
			await run('forge.patchsets.openDiff', file(71, 0, body.indexOf(line) + 3));
			const options = stubbed.passedMore.at(-1)?.at(-1);
			assert.match(JSON.stringify(options), /"line":9/, line);
		}
	});

	test('show all files of a patch or series with the confidence of each', async () => {
		const { run, opened, patchset } = desk();
		await run('forge.patchsets.openDiff', patchset);
		const { sides, title } = opened();
		assert.equal(title, 'v1 fold: step 1 (diffs)');
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
			['1\u22152', '2\u22152', '2\u22152, applied to another version of the file', '2\u22152'],
		);
	});

	test('combine a series from before the first patch to after the last', async () => {
		const { run, opened, patchset } = desk();
		await run('forge.patchsets.openCombined', patchset);
		const { sides, title } = opened();
		assert.equal(title, 'v1 fold: step 1 (diffs)');
		assert.deepEqual(sides.slice(0, 3), [
			`72 wholeAfter ${short(second)}`,
			`71 wholeBefore ${short(fold)}`,
			`72 wholeAfter ${short(second)}`,
		]);
		assert.equal(sides.length, 9);
	});

	test('show only the patch when the user cancels the search', async () => {
		const world = wholeWorld();
		const { run, file, opened } = desk(world);
		let cancelled: Promise<void> | undefined;
		world.repositories.world.before = () => (cancelled ??= cancelAnnounced(/^Searching /));
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		world.repositories.world.before = () => undefined;
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
	});

	test('show only the patch when the forge is unreachable, without a question', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		world.repositories.world.before = () => Promise.reject(unreachable);
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		assert.deepEqual(stubbed.asked, []);
		world.repositories.world.before = () => Promise.reject(new TypeError('Broken'));
		await assert.rejects(run('forge.patchsets.openDiff', file(71)), /Broken/);
	});

	test('search again only on request, for the active document', async () => {
		const gone = numberedLines('gone');
		const contents = new Map<string, Uint8Array>();
		const { run, file, opened } = desk(wholeWorld({ clones: { contents: async () => contents } }));
		await run('forge.patchsets.openDiff', file(72, 2));
		contents.set(blobId(gone).slice(0, 7), Buffer.from(gone));
		await run('forge.patchsets.openDiff', file(72, 2));
		assert.equal(opened().title, 'gone.c (2/2)');
		bringToFront(lastUris().at(-1) ?? assert.fail());
		await run('forge.patchsets.searchOlder', undefined);
		assert.equal(opened().title, 'gone.c (2/2)');
		assert.deepEqual(stubbed.shown, []);
	});

	test('report a search in older commits without results', async () => {
		const { run, file } = desk(wholeWorld());
		await run('forge.patchsets.searchOlder', file(72, 2));
		assert.deepEqual(stubbed.shown, ['Not all files were found, and there are no older commits to search.']);
	});

	test('suggest choosing a repository if the forge lacks the one of the patches', async () => {
		const world = wholeWorld();
		const { run, file, opened } = desk(world);
		world.repositories.world.before = (call) =>
			/^(?:blob|log|tree)/.test(call) ? Promise.reject(new ForgeError({ kind: 'notFound' })) : undefined;
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.equal(stubbedFront.status.command?.title, 'Choose Repository…');
		await run('forge.patchsets.searchOlder', file(71));
		assert.deepEqual(stubbed.shown, ['Not all files were found. Choose the repository of these patches again.']);
	});

	test('search again on the next opening after a failed request, and log the failure', async () => {
		const logged: unknown[] = [];
		const world = wholeWorld();
		const { run, file, opened } = desk(world, { problems: { ...quietProblems, log: (error) => logged.push(error) } });
		world.repositories.world.before = () => Promise.reject(unreachable);
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		assert.deepEqual(logged, [unreachable]);
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.equal(stubbedFront.status.command?.title, 'Try Again');
		world.repositories.world.before = () => undefined;
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
	});

	test('search again for all files of a series from its row', async () => {
		const gone = numberedLines('gone');
		const contents = new Map<string, Uint8Array>();
		const { run, opened, patchset } = desk(wholeWorld({ clones: { contents: async () => contents } }));
		await run('forge.patchsets.openDiff', patchset);
		contents.set(blobId(gone).slice(0, 7), Buffer.from(gone));
		await run('forge.patchsets.searchOlder', patchset);
		assert.equal(opened().title, 'v1 fold: step 1 (diffs)');
	});
});

suite('repository of the patches', () => {
	setup(() => resetStub());

	const question = 'Choose the repository of patches to ~alice/quill-devel';

	test('is chosen by the user if nothing determines it, and stored', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('~alice/lamp');
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(stubbed.asked, [question]);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['~alice/lamp', 'Another repository…', 'None on this forge'],
		);
		assert.equal(opened().title, 'fold.c (1/2)');
		await run('forge.patchsets.openDiff', file(72));
		await desk(world).run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		assert.deepEqual(stubbed.asked, [question]);
	});

	test('triggers one question per window if the user cancels it', async () => {
		const { run, file, opened } = desk(wholeWorld({ name: 'lamp' }));
		await run('forge.patchsets.openDiff', file(71));
		await run('forge.patchsets.openDiff', file(72));
		assert.deepEqual(stubbed.asked, [question]);
		assert.equal(opened().title, 'fold.c (2/2)');
		stubbed.answers.push('~alice/lamp');
		await run('forge.patchsets.searchOlder', file(72));
		assert.deepEqual(stubbed.asked, [question, question]);
		assert.equal(opened().title, 'fold.c (2/2)');
	});

	test('triggers no question if a clone has the files', async () => {
		const contents = new Map([[blobId(fold).slice(0, 7), Buffer.from(fold)]]);
		const clones = { contents: async () => contents };
		const { run, file, opened } = desk(wholeWorld({ name: 'lamp', clones }));
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		assert.deepEqual(stubbed.asked, []);
	});

	test('is detected in a clone without a request to the forge', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const clue = { ref: world.repository, list: world.ref.list };
		const { run, file, opened, asked } = desk(world, { cloneClues: async () => [clue] });
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(opened().title, 'fold.c (1/2)');
		assert.deepEqual(
			asked().filter((call) => call.startsWith('repositor')),
			[],
		);
	});

	test('may be none, and a command corrects it and reopens the file', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('None on this forge');
		await run('forge.patchsets.openDiff', file(71));
		await desk(world).run('forge.patchsets.openDiff', file(71));
		assert.equal(stubbed.asked.length, 1);
		assert.equal(opened().title, 'fold.c (1/2)');
		bringToFront(lastUris().at(-1) ?? assert.fail());
		assert.deepEqual(stubbedFront.status.command?.command, 'forge.patchsets.chooseRepository');
		assert.equal(
			stubbedFront.status.detail,
			'Showing changed lines only: you chose that these patches have no repository on this forge.',
		);
		stubbed.answers.push('Another repository…', '~alice/lamp');
		await run('forge.patchsets.chooseRepository', undefined);
		assert.equal(opened().title, 'fold.c (1/2)');
		assert.deepEqual(world.connection.wholeFiles.choices.of(world.ref.list, undefined), world.repository);
	});

	test('accepts a name typed into the list', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('~alice/lamp\tAnother repository…');
		await run('forge.patchsets.openDiff', file(71));
		assert.deepEqual(stubbed.asked, [question]);
		assert.equal(opened().title, 'fold.c (1/2)');
	});

	test('is not stored if it does not exist', async () => {
		const world = wholeWorld({ name: 'lamp' });
		const { run, file, opened } = desk(world);
		stubbed.answers.push('Another repository…', '~alice/missing');
		await run('forge.patchsets.openDiff', file(71));
		assert.equal(world.connection.wholeFiles.choices.of(world.ref.list, undefined), undefined);
		assert.equal(opened().title, 'fold.c (1/2)');
	});
});

suite('confidence of a diff', () => {
	setup(() => resetStub());

	test('appears for the active document, with a next step', async () => {
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

	test('returns after a reload of the window', async () => {
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
