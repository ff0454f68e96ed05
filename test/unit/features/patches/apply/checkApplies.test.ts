import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { appliedWorld, numbered, type AppliedWorld } from '../support/appliedWorld.ts';
import { editLine, numberedLines } from '../../../../support/editedFile.ts';
import { cancelAnnounced } from '../../../../support/cancelAnnounced.ts';
import { eventually } from '../../../../support/eventually.ts';
import { fakeConnections } from '../../../../support/fakeConnection.ts';
import { listsParts } from '../../../../support/fakeListsParts.ts';
import { noGit } from '../../../../support/noGit.ts';
import { testInRest } from '../../../../support/parts.ts';
import { bringToFront } from '../../../../support/stubbedFront.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { makeMail } from '../../../../support/makeMail.ts';
import { wholeWorld, type WholeWorld } from '../../../../support/wholeWorld.ts';

const { applyFeature } = await import('../../../../../src/features/patches/apply/applyFeature.ts');
const { checkWords } = await import('../../../../../src/features/lists/checks/checkTexts.ts');
const { patchUri } = await import('../../../../../src/editor/patchDocuments/patchUri.ts');
const { listTree } = await import('../../../../../src/features/lists/tree/listTree.ts');

const never = new AbortController().signal;

interface Desk extends WholeWorld {
	readonly parts: ListsContext;
	readonly check: (...answers: readonly string[]) => Promise<void>;
}

/** An untrusted window, so no git can run. */
function desk(world: WholeWorld = wholeWorld()): Desk {
	const { logs } = world.repositories.world;
	logs.set('~alice/quill main', logs.get('~alice/quill HEAD') ?? []);
	const parts = listsParts(fakeConnections(world.connection));
	const { commands } = applyFeature({ ...parts, ...noGit() });
	const subject = { kind: 'patchset', connectionKey: world.connection.key, ref: world.ref };
	return {
		...world,
		parts,
		async check(...answers) {
			stubbed.answers.push(...answers);
			await commands['forge.patchsets.checkApplies']?.(subject, never, []);
		},
	};
}

/** The same world without the file that the repository lacks. */
function applicable(): WholeWorld {
	const world = wholeWorld();
	const { mails, series } = world.lists.world;
	const [first, second] = mails;
	assert.ok(first && second);
	const shortened = {
		...second,
		envelope: second.envelope.replace(/diff --git a\/src\/gone\.c[^]*?(?=-- \r?\n)/, ''),
	};
	mails.splice(1, 1, shortened);
	series.set(7, [first, shortened]);
	return world;
}

suite('checking whether a patchset applies', function () {
	this.timeout(60_000);
	setup(() => resetStub());

	test('works without a clone: names the failing file and patch, and lists each file in the details', async () => {
		const { check, asked } = desk();
		await check('main', 'Show Details', 'src/gone.c');
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^The patchset does not apply to main \([0-9a-f]{10}\): patch 2, src\/gone\.c: the file does not exist\.$/,
		);
		await eventually(async () => stubbed.executed, ['forge.patchsets.openDiff']);
		assert.deepEqual(
			stubbed.offered.map(({ label, description, detail }) => [label, description, detail]),
			[
				['src/fold.c', 'patch 1', 'applies'],
				['src/fold.c', 'patch 2', 'applies'],
				['src/moved.c', 'patch 2', 'applies with an offset of 2'],
				['src/gone.c', 'patch 2', 'the file does not exist'],
			],
		);
		assert.ok(asked().length < 20);
	});

	test('checks the patchset of the active diff from the palette', async () => {
		const world = applicable();
		const { commands } = applyFeature({ ...listsParts(fakeConnections(world.connection)), ...noGit() });
		const { logs } = world.repositories.world;
		logs.set('~alice/quill main', logs.get('~alice/quill HEAD') ?? []);
		const { list, id: patchsetId } = world.ref;
		const view = { kind: 'after', fileIndex: 0 } as const;
		bringToFront(patchUri({ connectionKey: world.connection.key, list, patchsetId, mailId: 1, view }, 'fold.c'));
		stubbed.answers.push('main');
		await commands['forge.patchsets.checkApplies']?.(undefined, never, []);
		assert.match(stubbed.shown.at(-1) ?? '', /^The patchset applies to main /);
		assert.equal(stubbed.asked.length, 1);
	});

	test('reports offsets and the missing confirmation by git, and loads nothing twice', async () => {
		const { check, asked } = desk(applicable());
		await check('main');
		assert.match(
			stubbed.shown.at(-1) ?? '',
			/^The patchset applies to main \([0-9a-f]{10}\) with offsets\. Only lines were compared: git could not confirm it\.$/,
		);
		assert.deepEqual(stubbed.buttons.at(-1), ['Show Details']);
		asked();
		await check('main');
		assert.deepEqual(
			asked().filter((call) => /^(?:blob|tree)/.test(call)),
			[],
		);
	});

	test('accepts any revision that the forge knows, and asks again for an unknown one', async () => {
		const { check, repositories, asked } = desk(applicable());
		const { logs } = repositories.world;
		logs.set('~alice/quill v0.9', logs.get('~alice/quill HEAD') ?? []);
		await check('Another Revision…', ' v0.9 ');
		assert.match(stubbed.shown.at(-1) ?? '', /^The patchset applies to v0\.9 \(/);
		asked();
		await check('Another Revision…', 'gone', 'v0.9');
		assert.match(stubbed.shown.at(-1) ?? '', /^The patchset applies to v0\.9 \(/);
		assert.equal(stubbed.prefilled.at(-1), 'gone');
		assert.equal(stubbed.prompts.at(-1), '~alice/quill does not have "gone". Enter another revision.');
		assert.deepEqual(
			asked().filter((call) => call.startsWith('log ')),
			['log ~alice/quill gone 0', 'log ~alice/quill v0.9 0'],
		);
	});

	test('shows its result in the patchset’s row until the reference moves', async () => {
		const { check, parts, connection, ref, repositories, repository } = desk(applicable());
		const tree = listTree(parts);
		let redrawn = 0;
		tree.onDidChange(() => (redrawn += 1));
		const of = { kind: 'list', connectionKey: connection.key, ref: ref.list } as const;
		const row = async (): Promise<string> => String((await tree.patchsetRows(of, never))[0]?.item.description);
		assert.doesNotMatch(await row(), /applies/);
		redrawn = 0;
		await check('main');
		assert.ok(redrawn > 0);
		assert.match(await row(), /· applies to main with offsets/);
		const found = parts.checks.of(connection.key, ref);
		assert.equal(found && checkWords(found), 'applies to main with offsets');
		const { world } = repositories;
		const other = world.commit(repository, 'HEAD', world.grow({ other: 'x\n' }));
		world.logs.set('~alice/quill HEAD', [other]);
		world.logs.set('~alice/quill main', [other]);
		await connection.repositories.newestPinned(repository, 'main', never);
		assert.equal(parts.checks.of(connection.key, ref), undefined);
		assert.doesNotMatch(await row(), /applies/);
		tree.dispose();
	});

	test('stops at 60 requests, and continues only on request', async () => {
		const world = wholeWorld();
		const texts = Array.from({ length: 40 }, (_, at) => numberedLines(`file ${at}`));
		const diffs = texts.map((text, at) => editLine(`d${at}/f.c`, text, 10, 'CHANGED').diff);
		const { mails, series } = world.lists.world;
		const [first] = mails;
		assert.ok(first);
		const envelope = `Subject: [PATCH] Wide\r\n\r\nWhy.\n---\n${diffs.join('')}-- \n2.39.5\n`;
		const wide = { ...first, subject: '[PATCH] Wide', envelope };
		mails.splice(0, 2, wide);
		series.set(7, [wide]);
		const { world: forge } = world.repositories;
		const folders = Object.fromEntries(texts.map((text, at) => [`d${at}`, { 'f.c': text }]));
		forge.commit(world.repository, 'HEAD', forge.grow(folders));
		const { check, asked } = desk(world);
		await check('main');
		assert.equal(stubbed.shown.at(-1), 'The check reached its limit of requests (60). Continue with up to 600?');
		assert.ok(asked().filter((call) => /^(?:tree|blob)/.test(call)).length <= 60);
		await check('main', 'Continue');
		await eventually(async () => stubbed.shown.at(-1)?.replace(/\(.*/, ''), 'The patchset applies to main ');
	});

	test('compares the commit of a submodule', async () => {
		const world = wholeWorld();
		const [old, fresh] = ['a'.repeat(40), 'b'.repeat(40)];
		const { mails, series } = world.lists.world;
		const [first] = mails;
		assert.ok(first);
		const diff = `diff --git a/lib b/lib\nindex ${old}..${fresh} 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit ${old}\n+Subproject commit ${fresh}\n`;
		const envelope = `Subject: [PATCH] Newer library\r\n\r\nWhy.\n---\n${diff}-- \n2.39.5\n`;
		const one = { ...first, subject: '[PATCH] Newer library', envelope };
		mails.splice(0, 2, one);
		series.set(7, [one]);
		const { world: forge } = world.repositories;
		const { check } = desk(world);
		for (const [id, outcome] of [
			[old, 'The patchset applies to main '],
			[fresh, 'All patches are already in main '],
			['c'.repeat(40), 'The patchset does not apply to main '],
		] as const) {
			const lib = { name: 'lib', id, type: 'commit', mode: 0o160000 } as const;
			const commit = forge.commit(world.repository, 'HEAD', forge.grow({ lib }));
			forge.logs.set('~alice/quill main', [commit]);
			await check('main');
			assert.equal(stubbed.shown.at(-1)?.replace(/\(.*/, ''), outcome);
		}
	});

	test('stops silently when the user cancels', async () => {
		const { check, repositories } = desk();
		let cancelled: Promise<void> | undefined;
		repositories.world.before = (call) => {
			return call.startsWith('tree') ? (cancelled ??= cancelAnnounced(/^Checking /)) : undefined;
		};
		await assert.rejects(check('main'), isAbort);
		assert.deepEqual(stubbed.shown, []);
	});

	suite('in a clone', () => {
		let world: AppliedWorld;
		setup(() => {
			world = appliedWorld();
		});
		teardown(() => world.remove());

		const three = (line: number): string => (line === 3 ? 'three' : String(line));
		const fifteen = (line: number): string => (line === 15 ? 'fifteen' : three(line));

		/** Commits patches of the series to the clone, as a maintainer did. */
		function commitPatches(titles = ['Change three', 'Change b', 'Change fifteen']): void {
			const files = [
				['a', numbered(three)],
				['b', 'two\n'],
				['a', numbered(fifteen)],
			] as const;
			titles.forEach((title, at) => world.commit(files[at]![0], files[at]![1], title));
		}

		function words(window: ReturnType<AppliedWorld['window']>): string {
			const found = window.checks.of(world.subject.connectionKey, world.subject.ref);
			return found ? checkWords(found) : '';
		}

		for (const archiveUrl of [undefined, 'https://lore.example/']) {
			test(`says that it has a read patchset, ${archiveUrl === undefined ? 'on a forge' : 'in an archive'}`, async () => {
				const { connection } = world;
				const instance = { ...connection.instance, ...(archiveUrl === undefined ? {} : { archiveUrl }) };
				const window = world.window({ parts: { connections: fakeConnections({ ...connection, instance }) } });
				commitPatches();
				await connection.reviews.read(world.subject.ref, never);
				await eventually(async () => words(window), 'already in main');
				// A reset takes the patches back, and the row says so no longer.
				let told = 0;
				window.checks.onDidChange(() => (told += 1));
				world.inClone('reset', '-q', '--hard', world.base);
				world.fake.head = { name: 'main', commit: world.base };
				world.fake.change();
				assert.equal(words(window), '');
				await eventually(async () => told, 1);
				commitPatches(['Change three', 'Change b', 'Another title']);
				world.fake.change();
				await eventually(async () => words(window), 'already in main');
				window.dispose();
			});
		}

		for (const what of ['has a part', 'lost one again', 'does not have a missing patch']) {
			test(`says nothing about a patchset of which it ${what}`, async () => {
				const { mails, series, patchsets } = world.lists.world;
				// Read later, and looked at later.
				const second = mails[1]!;
				const envelope = second.envelope
					.replace('[PATCH 2/3]', '[PATCH]')
					.replace('<m72@', '<m81@')
					.replaceAll(/^(?:In-Reply-To|References): .*\n/gm, '');
				const alone = makeMail({ id: 81, subject: '[PATCH] Change b', envelope, isPatch: true, patchsetId: 8 });
				mails.push(alone);
				series.set(8, [alone]);
				const [first] = patchsets.get('~alice/devel') ?? [];
				patchsets.set('~alice/devel', [{ ...first!, id: 8, subject: 'Change b' }, first!]);
				commitPatches(what === 'has a part' ? ['Change three', 'Change b'] : undefined);
				if (what === 'lost one again') {
					world.inClone('-c', 'user.name=A', '-c', 'user.email=a@a.example', 'revert', '--no-edit', 'HEAD');
					world.fake.head = { name: 'main', commit: world.inClone('rev-parse', 'HEAD') };
				}
				if (what === 'does not have a missing patch') {
					const inFour = (text: string): string => text.replace(/(\d)\/3\]/, '$1/4]');
					mails.forEach((mail, at) => {
						mails[at] = { ...mail, subject: inFour(mail.subject), envelope: inFour(mail.envelope) };
					});
					series.set(7, mails.slice(0, 3));
				}
				const window = world.window();
				await world.connection.reviews.read(world.subject.ref, never);
				await world.connection.reviews.read({ ...world.subject.ref, id: 8 }, never);
				const found = () => window.checks.of(world.subject.connectionKey, { ...world.subject.ref, id: 8 });
				await eventually(async () => found() && checkWords(found()!), 'already in main');
				assert.equal(words(window), '');
				window.dispose();
			});
		}

		test('reports patches already in its branch, and offers to apply the rest', async () => {
			const window = world.window();
			world.commit('b', 'two\n', 'The same in other words');
			stubbed.answers.push('None on this forge', 'main', 'Apply Patchset…');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(
				stubbed.shown.at(-1) ?? '',
				/^The patchset applies to main \([0-9a-f]{10}\)\. Patches already there: 2\.$/,
			);
			await eventually(async () => stubbed.executed, ['forge.patchsets.apply']);
			world.commit(
				'a',
				numbered((line) => (line === 3 ? 'III' : String(line))),
				'Otherwise',
			);
			stubbed.answers.push('main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /does not apply .* patch 1, a: the lines that it changes are not there/);
			window.dispose();
		});

		test('works without the forge’s references, and fails without a clone too', async () => {
			const { connection, ref, repositories } = wholeWorld();
			const feature = applyFeature({
				...listsParts(fakeConnections(connection)),
				...noGit(),
				findGit: world.editorGit,
				git: world.git,
				trust: { isTrusted: () => true, onDidGrant: () => ({ dispose: () => undefined }) },
			});
			const check = async (): Promise<void> =>
				feature.commands['forge.patchsets.checkApplies']?.(
					{ kind: 'patchset', connectionKey: connection.key, ref },
					never,
					[],
				);
			repositories.world.before = (call) => {
				if (call.startsWith('references ')) {
					throw new ForgeError({ kind: 'notFound' });
				}
			};
			stubbed.answers.push('main');
			await check();
			assert.deepEqual(
				stubbed.offered.map(({ label, description }) => [label, description]),
				[
					['main', 'clone quill'],
					['Another Revision…', '~alice/quill'],
					['Another Revision…', 'clone quill'],
				],
			);
			assert.match(
				stubbed.shown.at(-1) ?? '',
				/^The patchset does not apply to main \([0-9a-f]{10}\): patch 1, src\/fold\.c: /,
			);
			world.editorGit.close(world.fake);
			await assert.rejects(check(), (error) => isForgeError(error) && error.problem.kind === 'notFound');
			await feature.dispose();
		});

		testInRest('trusts file contents over commits with the same changes, as Apply does', async () => {
			const window = world.window();
			stubbed.answers.push('Current Branch main');
			await window.run('forge.patchsets.apply', world.subject);
			world.fake.head = { name: 'main', commit: world.inClone('rev-parse', 'HEAD') };
			stubbed.answers.push('None on this forge', 'main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /^All patches are already in main \(/);
			// One commit with another change, so no patch id shows the revert.
			world.inClone('checkout', '-q', world.base, '--', 'a', 'b');
			world.commit('c', 'else\n', 'Begin again');
			stubbed.answers.push('main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /^The patchset applies to main \([0-9a-f]{10}\)\.$/);
			window.dispose();
		});

		test('rejects an incomplete series, and names the missing patches', async () => {
			const { mails, series } = world.lists.world;
			mails.splice(1, 1);
			series.set(7, [...mails]);
			const window = world.window();
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.deepEqual(stubbed.shown, ['Patch 2 of 3 is missing. Check again once all messages are there.']);
			assert.deepEqual(stubbed.asked, []);
			window.dispose();
		});

		testInRest('offers all its branches and tags, and keeps the result only for the checked-out branch', async () => {
			world.inClone('update-ref', 'refs/remotes/origin/old', 'HEAD');
			world.inClone('checkout', '-q', '-b', 'side');
			world.commit('b', 'other\n', 'Other b');
			world.inClone('tag', '-a', '-m', 'One', 'v1');
			world.inClone('checkout', '-q', 'main');
			const window = world.window();
			stubbed.answers.push('None on this forge', 'side');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.deepEqual(stubbed.offered.map(({ label }) => label).toSorted(), [
				'Another Revision…',
				'main',
				'origin/old',
				'side',
				'v1',
			]);
			assert.match(stubbed.shown.at(-1) ?? '', /does not apply to side \([0-9a-f]{10}\): patch 2, b: /);
			assert.equal(window.checks.of(world.subject.connectionKey, world.subject.ref), undefined);
			stubbed.answers.push('v1');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /does not apply to v1 \([0-9a-f]{10}\): patch 2, b: /);
			stubbed.answers.push('origin/old');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /^The patchset applies to origin\/old \([0-9a-f]{10}\)\.$/);
			stubbed.answers.push('main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.equal(window.checks.of(world.subject.connectionKey, world.subject.ref)?.on, 'main');
			window.dispose();
		});

		testInRest('accepts any other revision of the clone, but no option', async () => {
			world.commit('b', 'other\n', 'Other b');
			const window = world.window();
			const base = world.inClone('rev-parse', 'HEAD~1');
			stubbed.answers.push('None on this forge');
			for (const revision of ['HEAD~1', base.slice(0, 9), 'refs/heads/main^']) {
				stubbed.answers.push('Another Revision…', ` ${revision} `);
				await window.run('forge.patchsets.checkApplies', world.subject);
				assert.equal(stubbed.shown.at(-1), `The patchset applies to ${revision} (${base.slice(0, 10)}).`);
			}
			assert.equal(window.checks.of(world.subject.connectionKey, world.subject.ref), undefined);
			for (const [revision, said] of [
				['--output=x', 'Enter a branch, a tag or a commit id.'],
				['HEAD:b', 'Enter a branch, a tag or a commit id.'],
			] as const) {
				stubbed.answers.push('Another Revision…', revision);
				await assert.rejects(window.run('forge.patchsets.checkApplies', world.subject), isAbort);
				assert.equal(stubbed.shown.at(-1), said);
			}
			window.dispose();
		});

		testInRest('asks again for a revision that the clone lacks, with the typed text', async () => {
			const window = world.window();
			stubbed.answers.push('None on this forge', 'Another Revision…', 'HEAD~9', 'HEAD');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /^The patchset applies to HEAD \([0-9a-f]{10}\)\.$/);
			assert.equal(stubbed.prefilled.at(-1), 'HEAD~9');
			assert.equal(
				stubbed.prompts.at(-1),
				'The clone quill does not have "HEAD~9". Enter another revision, or fetch in the clone first.',
			);
			window.dispose();
		});

		test('distinguishes a patch that needs a merge from one that applies, and names an obstacle', async () => {
			const window = world.window();
			// Line 6 is context of the change in line 3.
			world.commit(
				'a',
				numbered((line) => (line === 6 ? 'VI' : String(line))),
				'Near it',
			);
			stubbed.answers.push('None on this forge', 'main', 'Show Details');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(
				stubbed.shown.at(-1) ?? '',
				/^The patchset needs a three-way merge to apply to main \([0-9a-f]{10}\): lines near its changes are different there\.$/,
			);
			await eventually(
				async () => stubbed.offered[0]?.detail,
				'needs a three-way merge: lines near the change are different',
			);
			world.inClone('rm', '-q', 'b');
			world.inClone('commit', '-q', '-m', 'Remove b');
			mkdirSync(join(world.root, 'b'));
			world.commit('b/c', 'c\n', 'A folder');
			stubbed.answers.push('main');
			await window.run('forge.patchsets.checkApplies', world.subject);
			assert.match(stubbed.shown.at(-1) ?? '', /patch 2, b: a folder, submodule or file is in the way\.$/);
			window.dispose();
		});
	});
});
