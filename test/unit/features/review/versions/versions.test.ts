import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import type { Email } from 'sourcehut/port/list.ts';
import { formedPatchsetId } from 'patchmail/series/listedPatchset.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { finderLimits } from '../../../../../src/store/wholeFiles/fileFinder.ts';
import { editLine, numberedLines } from '../../../../support/editedFile.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { listConnection } from '../../../../support/fakeLists.ts';
import { patchsetWorld } from '../../../../support/patchsetWorld.ts';
import { makeUser, someTimeMs } from '../../../../support/makeTicket.ts';
import { bringToFront } from '../../../../support/stubbedFront.ts';
import { secondVersion, versionWorld, type VersionWorld } from '../../../../support/versionWorld.ts';
import { resetStub, stubbed, Uri as UriClass } from '../../../../support/vscodeValues.ts';
import { wholeTexts } from '../../../../support/wholeWorld.ts';

const { diffs } = await import('../../../../../src/features/patches/diffs/diffsFeature.ts');
const { versions } = await import('../../../../../src/features/review/versions/versionsFeature.ts');
const { patchUri, placeOfPatchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');

const never = new AbortController().signal;

function isUri(value: unknown): value is Uri {
	return value instanceof UriClass;
}

/** Files of the opened multi-diff with their two sides, and its title. */
interface Opened {
	readonly title: unknown;
	readonly files: readonly (readonly (Uri | undefined)[])[];
}

interface Desk extends VersionWorld {
	readonly run: (command: CommandId, subject: unknown) => Promise<void>;
	readonly patchset: (id: number, more?: object) => unknown;
	readonly text: (uri: unknown) => Promise<string>;
	readonly opened: () => Opened;
}

function desk(world: VersionWorld = versionWorld()): Desk {
	const { connection, ref } = world;
	const parts = listsParts(fakeConnections(connection));
	const opened = diffs(parts);
	const { commands, files } = versions(opened.opener);
	return {
		...world,
		patchset: (id, more = {}) => ({ kind: 'patchset', connectionKey: connection.key, ref: { ...ref, id }, ...more }),
		run: async (command, subject) => commands[command]?.(subject, never, []),
		async text(uri) {
			assert.ok(isUri(uri));
			const read = uri.scheme === 'forge-versions' ? files : opened.files;
			return new TextDecoder().decode(await read.readFile(uri));
		},
		opened: () => {
			const [list = []] = (stubbed.passedMore.at(-1) ?? []).filter((each) => Array.isArray(each));
			return { title: stubbed.passed.at(-1), files: list };
		},
	};
}

function shown(uri: Uri | undefined): string {
	const place = uri && placeOfPatchUri(uri);
	const { view } = place ?? {};
	const content = view?.kind === 'wholeBefore' || view?.kind === 'wholeAfter' ? ` ${view.content.slice(0, 7)}` : '';
	return place ? `${place.mailId} ${view?.kind}${content}` : `${uri?.scheme} ${uri?.path}`;
}

/** The world with a third version that repeats the second one. */
function threeVersions(): VersionWorld {
	const world = versionWorld();
	const { patchsets, series } = world.lists.world;
	const third = makePatchset({
		id: 9,
		version: 3,
		subject: 'fold: step 1',
		prefix: undefined,
		createdMs: someTimeMs + 2000,
		list: { owner: makeUser('alice'), name: world.ref.list.name },
	});
	patchsets.get('~alice/quill-devel')?.unshift(third);
	series.set(9, series.get(8) ?? []);
	return world;
}

const short = (text: string): string => blobId(text).slice(0, 7);

suite('versions of a series', () => {
	setup(() => resetStub());

	test('compare like git range-diff, in a read-only document', async () => {
		const { run, patchset, text } = desk();
		await run('forge.patchsets.compareVersions', patchset(8));
		assert.deepEqual(stubbed.asked, []);
		const document = stubbed.passed.at(-1);
		assert.match(String(document), /^forge-versions:.*v1\.\.v2 fold.*\.range-diff/);
		const lines = (await text(document)).split('\n');
		assert.deepEqual(
			lines.filter((line) => /^(?:\d|-)|^ {4}[-+@]/.test(line)),
			[
				'1:  ------- ! 1:  ------- fold: step 1',
				'    @@ Metadata',
				'    -    Why.',
				'    +    Because.',
				'2:  ------- < -:  ------- fold: step 2',
				'-:  ------- > 2:  ------- fold: step 2',
			],
		);
	});

	test('name the patches that carried trailers were given to', async () => {
		const world = versionWorld();
		const reviewed = 'Reviewed-by: Dave <dave@forge.test>';
		const { mails, series } = world.lists.world;
		const put = (mail: Email, from: RegExp, to: string): Email => {
			const made = { ...mail, envelope: mail.envelope.replace(from, to) };
			mails[mails.findIndex(({ id }) => id === mail.id)] = made;
			return made;
		};
		for (const parentId of [71, 72]) {
			const reply = world.reply(parentId + 20, 'dave', `${reviewed}\n`, parentId);
			put(reply, /^From: .*$/m, 'From: Dave <dave@forge.test>');
		}
		const carried = (series.get(8) ?? []).map((mail) => put(mail, /\r\n---\r\n/, `\r\n\r\n${reviewed}\r\n---\r\n`));
		series.set(8, carried);
		const { run, patchset, text } = desk(world);
		await run('forge.patchsets.compareVersions', patchset(8));
		const notes = async (): Promise<readonly string[]> =>
			(await text(stubbed.passed.at(-1)))
				.split(/\n(?=1:  -)/)[0]!
				.split('\n\n')
				.filter(Boolean);
		assert.deepEqual(await notes(), [
			`1:  ${reviewed}\n    Given to patch 1 of v1, which has the same changes to the same files.`,
			`2:  ${reviewed}\n    Given to patch 2 of v1, which has other changes.\n`,
		]);
	});

	test('compare without the replies that failed to load, and say so', async () => {
		const world = versionWorld();
		world.lists.world.before = (call) => {
			if (call === 'thread 71') {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const { run, patchset, text } = desk(world);
		await run('forge.patchsets.compareVersions', patchset(8));
		const document = await text(stubbed.passed.at(-1));
		assert.match(document, /^Not all replies to earlier versions were loaded\. .+\n\n1:  -------/);
	});

	test('differ by whole resulting files, or by hunks without a whole file', async () => {
		const { run, patchset, text, opened } = desk();
		await run('forge.patchsets.openVersionChanges', patchset(8));
		const { title, files } = opened();
		assert.equal(title, 'v1 → v2 fold: step 1');
		assert.deepEqual(
			files.map(([, before, after]) => [shown(before), shown(after)]),
			[
				[`72 wholeAfter ${short(wholeTexts.second)}`, `82 wholeAfter ${short(secondVersion)}`],
				['forge-versions /src/gone.c', 'forge-versions /src/gone.c'],
				[
					`72 wholeAfter ${short(wholeTexts.theirs.replace('moved 20', 'MOVED 20'))}`,
					`72 wholeBefore ${short(wholeTexts.theirs)}`,
				],
			],
		);
		const [, gone = []] = files;
		const gap = (from: string): string => `⋯ ${from} of the original file are not in the patches ⋯\n`;
		const around = (line: string): string =>
			`${gap('lines 1 to 16')}gone 17\ngone 18\ngone 19\n${line}\ngone 21\ngone 22\ngone 23\n⋯ line 24 of the original file and all that follow are not in the patches ⋯\n`;
		assert.deepEqual(await Promise.all(gone.slice(1).map(text)), [around('GONE 20'), around('GONE TWENTY')]);
	});

	/** Three hundred commits without the base files of the patches. Only the newest has `fold.c`. */
	const withLongHistory = ({ repository, repositories: { world } }: VersionWorld): void => {
		for (let at = 1; at <= 300; at += 1) {
			const other = `${at}\n`;
			const newest = at === 300 ? wholeTexts.fold : other;
			world.commit(
				repository,
				'HEAD',
				world.grow({ src: { 'fold.c': newest, 'moved.c': other, 'gone.c': other, 'far.c': other } }),
			);
		}
		const log = world.logs.get('~alice/quill HEAD') ?? [];
		world.logs.set(
			'~alice/quill HEAD',
			log.map((each, at) => ({ ...each, timestampMs: someTimeMs - 1000 * (at + 1) })),
		);
	};

	test('share the requests of one search for both, and resume it next time', async () => {
		const world = versionWorld();
		withLongHistory(world);
		const { run, patchset, asked } = desk(world);
		const counts: number[] = [];
		for (let time = 0; time < 2; time += 1) {
			asked();
			await run('forge.patchsets.openVersionChanges', patchset(8));
			counts.push(asked().filter((call) => !call.startsWith('repositories')).length);
		}
		const isFull = (count: number): boolean => count > finderLimits.requests / 2 && count <= finderLimits.requests;
		assert.ok(counts.every(isFull), counts.join());
	});

	test('find the files of the later version if those of the earlier are missing or too far back', async () => {
		const world = versionWorld();
		withLongHistory(world);
		const { mails, series } = world.lists.world;
		for (const [id, path, before] of [
			[7, 'src/far.c', numberedLines('far')],
			[8, 'src/fold.c', wholeTexts.fold],
		] as const) {
			const { diff } = editLine(path, before, 10, 'CHANGED');
			const text = `Why.\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n');
			const mail = makeMail({ id: id * 100, subject: '[PATCH] some', text, isPatch: true, patchsetId: id });
			mails.push(mail);
			series.set(id, [mail]);
		}
		const { run, patchset, opened } = desk(world);
		await run('forge.patchsets.openVersionChanges', patchset(8));
		assert.equal(opened().title, 'v1 → v2 fold: step 1');
	});

	test('show a file that both add as whole and verified without a search', async () => {
		const world = versionWorld();
		const { mails, series } = world.lists.world;
		for (const [id, text] of [
			[7, 'one'],
			[8, 'two'],
		] as const) {
			const diff = `diff --git a/new.c b/new.c\nnew file mode 100644\nindex 0000000..${short(`${text}\n`)}\n--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+${text}\n`;
			const body = `Why.\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n');
			const mail = makeMail({ id: id * 100, subject: '[PATCH] new', text: body, isPatch: true, patchsetId: id });
			mails.push(mail);
			series.set(id, [mail]);
		}
		const { run, patchset, opened, text } = desk(world);
		await run('forge.patchsets.openVersionChanges', patchset(8));
		const { title, files } = opened();
		assert.equal(title, 'v1 → v2 fold: step 1');
		assert.deepEqual(await Promise.all((files[0] ?? []).slice(1).map(text)), ['one\n', 'two\n']);
	});

	test('warn if they have different base files and only hunks are known', async () => {
		const world = versionWorld();
		const { mails, series } = world.lists.world;
		for (const [id, before] of [
			[7, numberedLines('some', 30)],
			[8, `first\n${numberedLines('some', 30)}`],
		] as const) {
			const { diff } = editLine('some.c', before, 10, 'SOME');
			const text = `Why.\n---\n${diff}-- \n2.39.5\n`.replaceAll('\n', '\r\n');
			const mail = makeMail({ id: id * 100, subject: '[PATCH] some', text, isPatch: true, patchsetId: id });
			mails.push(mail);
			series.set(id, [mail]);
		}
		const { run, patchset, opened } = desk(world);
		await run('forge.patchsets.openVersionChanges', patchset(8));
		const { title, files } = opened();
		assert.equal(title, 'v1 → v2 fold: step 1');
		assert.match(files[0]?.[1]?.query ?? '', /"in":" \(only what the patches show, from different originals\)"/);
	});

	test('offer a choice if there are several, last reviewed first, except for a given one', async () => {
		const { run, patchset } = desk(threeVersions());
		const offered = (): unknown => stubbed.offered.map(({ description, detail }) => [description, detail]);
		await assert.rejects(run('forge.patchsets.compareVersions', patchset(9)), isAbort);
		assert.deepEqual(stubbed.asked, ['Which version do you want to compare with v3 of "fold: step 1"?']);
		assert.deepEqual(offered(), [
			['v2 · Proposed · Bob Builder', 'The previous version'],
			['v1 · Proposed · Bob Builder', ''],
		]);
		const world = threeVersions();
		world.reply(91, 'alice', '> +FOLD 30\n\nIn words, please.\n');
		await assert.rejects(desk(world).run('forge.patchsets.compareVersions', patchset(9)), isAbort);
		assert.deepEqual(offered(), [
			['v1 · Proposed · Bob Builder', 'The version that you last reviewed'],
			['v2 · Proposed · Bob Builder', 'The previous version'],
		]);
		await run('forge.patchsets.compareVersions', patchset(9, { otherVersion: 7 }));
		assert.match(String(stubbed.passed.at(-1)), /v1\.\.v3/);
	});

	test('default to those of the active diff', async () => {
		const { run, connection, ref } = desk();
		const place = { connectionKey: connection.key, list: ref.list, patchsetId: 8, mailId: 82 };
		bringToFront(patchUri({ ...place, view: { kind: 'after', fileIndex: 0 } }, 'fold.c'));
		await run('forge.patchsets.compareVersions', undefined);
		assert.match(String(stubbed.passed.at(-1)), /v1\.\.v2/);
		assert.deepEqual(stubbed.asked, []);
	});

	test('include those sent as replies', async () => {
		const { api, ref } = patchsetWorld('~alice', { laterInThread: true });
		const connection = listConnection(api);
		const parts = listsParts(fakeConnections(connection));
		const { opener } = diffs(parts);
		const { commands, files } = versions(opener);
		const subject = { kind: 'patchset', connectionKey: connection.key, ref };
		await assert.rejects(Promise.resolve(commands['forge.patchsets.compareVersions']?.(subject, never, [])), isAbort);
		assert.deepEqual(
			stubbed.offered.map(({ description }) => description?.split(' · ')[0]),
			['v1', 'v3', 'v5'],
		);
		const named = { ...subject, otherVersion: formedPatchsetId(31) };
		await commands['forge.patchsets.compareVersions']?.(named, never, []);
		const uri = stubbed.passed.at(-1);
		assert.ok(isUri(uri) && uri.path === '/v2..v5 fold: find in a tree at last.range-diff', String(uri));
		const lines = new TextDecoder().decode(await files.readFile(uri)).split('\n');
		const others = lines.slice(lines.indexOf('1:  ------- ! 1:  ------- fold: find in a tree'));
		assert.equal(lines[0], '1:  Signed-off-by: Carol Coder <carol@forge.test>');
		assert.ok(others.includes('    +    fold: find in a tree at last'));
		await commands['forge.patchsets.openVersionChanges']?.(named, never, []);
		assert.match(String(stubbed.passed.at(-1)), /^v2 → v5 fold: find in a tree at last$/);
	});

	test('can be linked if unknown', async () => {
		const world = versionWorld();
		const { connection, run, patchset } = desk(world);
		await connection.reviews.unlinkVersions({ ...world.ref, id: 7 }, { ...world.ref, id: 8 });
		stubbed.answers.push('Link Another Version…');
		await assert.rejects(run('forge.patchsets.compareVersions', patchset(8)), isAbort);
		assert.equal(stubbed.shown.at(-1), 'No other version of "fold: step 1" is known.');
		assert.deepEqual(stubbed.executed, ['forge.patchsets.linkVersion']);
	});
});

suite('changes since a review', () => {
	setup(() => resetStub());

	test('start at the last version that the user replied to', async () => {
		const world = versionWorld();
		world.reply(91, 'bob', 'Thanks.\n');
		const { run, patchset, opened } = desk(world);
		await assert.rejects(run('forge.patchsets.openChangesSinceReview', patchset(8)), isAbort);
		assert.equal(stubbed.shown.at(-1), 'You reviewed no earlier version of "fold: step 1".');
		const other = versionWorld();
		other.reply(91, 'alice', '> +FOLD 30\n\nIn words, please.\n');
		const answered = desk(other);
		await answered.run('forge.patchsets.openChangesSinceReview', patchset(8));
		assert.equal(opened().title, 'v1 → v2 fold: step 1');
	});

	test('fail if the replies to an earlier version failed to load', async () => {
		const world = versionWorld();
		world.reply(91, 'alice', '> +FOLD 30\n\nIn words, please.\n');
		world.lists.world.before = (call) => {
			if (call === 'thread 71') {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const { run, patchset } = desk(world);
		await assert.rejects(run('forge.patchsets.openChangesSinceReview', patchset(8)), ForgeError);
		assert.deepEqual(stubbed.shown, []);
	});

	test('start at a version with viewed files too', async () => {
		const world = versionWorld();
		const { run, patchset, opened, connection, ref } = desk(world);
		await connection.viewed.mark(ref, ['of some file'], true);
		await run('forge.patchsets.openChangesSinceReview', patchset(8));
		assert.equal(opened().title, 'v1 → v2 fold: step 1');
	});
});

suite('own comments on an earlier version', () => {
	setup(() => resetStub());

	test('show with their outcome, and open at the place in the newest version', async () => {
		const world = versionWorld();
		world.reply(91, 'alice', '> +FOLD 30\n\nIn words, please.\n\n> +GONE 20\n\nWhy is this here?\n');
		world.reply(92, 'bob', '> > +FOLD 30\n>\n> In words, please.\n\nYes.\n', 91);
		const { run, patchset } = desk(world);
		stubbed.answers.push('In words, please.');
		await run('forge.patchsets.ownComments', patchset(7));
		assert.match(stubbed.asked.join(), /^Your comments on v1: 2, changed 2, replied to 1, untouched 0/);
		assert.deepEqual(
			stubbed.offered.map(({ label, description, detail }) => [label, description, detail]),
			[
				['In words, please.', 'changed, and the author replied', '-fold 30  +FOLD THIRTY'],
				['Why is this here?', 'changed', '-gone 20  +GONE TWENTY'],
			],
		);
		assert.deepEqual(stubbed.executed, ['forge.patchsets.openDiff']);
		const [opened] = stubbed.passed.filter((each) => typeof each === 'object');
		assert.match(JSON.stringify(opened), /"patchsetId":8,"mailId":82,"fileIndex":0,"at":\d+/);
	});

	test('say so if there are none', async () => {
		const { run, patchset } = desk();
		await assert.rejects(run('forge.patchsets.ownComments', patchset(8)), isAbort);
		assert.deepEqual(stubbed.shown, ['You commented on no earlier version of this patchset.']);
	});
});
