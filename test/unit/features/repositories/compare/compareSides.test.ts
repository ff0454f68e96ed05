import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { CommandId } from '../../../../../src/commands/table.ts';
import type { PageHost } from '../../../../../src/editor/pages/pageHost.ts';
import type { OpenClone, OpenClones } from '../../../../../src/features/repositories/parts/openClones.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import {
	boxWith,
	comparedWorld,
	noClones,
	watchOpened,
	type ComparedWorld,
	type Opened,
} from '../support/comparedWorld.ts';
import { eventually } from '../../../../support/eventually.ts';
import { uriAt } from '../../../../support/fakeGit.ts';
import { makeCommit, makeRepository, quill } from '../../../../support/fakeRepositories.ts';
import { resetStub, stubbed } from '../../../../support/vscodeValues.ts';
import { fake } from '../../../../support/fake.ts';

const { compareCommands } = await import('../../../../../src/features/repositories/compare/compareCommands.ts');

const never = new AbortController().signal;
const within = { connectionKey: 'alice.sample', ref: quill };
const feature = { kind: 'reference', ...within, revision: 'feature/x' };

let watched: ReturnType<typeof watchOpened>;
let world: ComparedWorld;

function begin(): void {
	resetStub();
	watched = watchOpened();
	world = comparedWorld();
}

/** The commands of one window. */
function window(clones: OpenClones = noClones): (command: CommandId, subject?: unknown) => Promise<void> {
	const table = compareCommands({ ...world.parts, clones });
	return async (command, subject) => table[command]?.(subject, never, []);
}

function last(): Opened | undefined {
	return watched.opened.at(-1);
}

/** The first file of a comparison: its resource, and both sides. */
function firstFile(opened: Opened | undefined): unknown {
	const files = opened?.passed[1];
	return Array.isArray(files) ? files.find(() => true) : undefined;
}

suite('comparing references', () => {
	setup(begin);
	teardown(() => watched.dispose());

	test('takes the repository of the page in front, without a question for it', async () => {
		world.fake.world.repositories.unshift(makeRepository('pen'));
		const pages = fake<PageHost>({ inFront: () => ({ kind: 'repository', ...within }) });
		const table = compareCommands({ ...world.parts, pages, clones: noClones });
		stubbed.answers.push('main → feature/x');
		const done = table['forge.repositories.compare']?.(undefined, never, []);
		const first = await boxWith((label) => label === 'feature/x');
		assert.equal(first.title, 'Choose a branch, tag or commit to compare');
		first.accept('feature/x');
		(await boxWith((label) => label === 'main', 2)).accept('main');
		await done;
		assert.equal(last()?.passed[0], 'main → feature/x');
		assert.deepEqual(stubbed.asked, ['Choose what to compare']);
	});

	test('asks for the other one, names both, and shows all differences', async () => {
		stubbed.answers.push('main → feature/x');
		const done = window()('forge.repositories.compare', feature);
		const box = await boxWith((label) => label === 'main');
		assert.equal(box.title, 'Choose a branch, tag or commit to compare feature/x with');
		box.accept('main');
		await done;
		const { second, feature: tip } = world;
		assert.equal(last()?.passed[0], 'main → feature/x');
		assert.deepEqual(last()?.passed[1], [
			[`${tip.id}/README.md`, `README.md?${second.id}`, `README.md?${tip.id}`],
			[`${second.id}/added.txt`, `added.txt?${second.id}`, undefined],
			[`${tip.id}/feature.txt`, undefined, `feature.txt?${tip.id}`],
			[`${tip.id}/gone.txt`, undefined, `gone.txt?${tip.id}`],
			[`${tip.id}/old.txt`, `new/name.txt?${second.id}`, `old.txt?${tip.id}`],
		]);
		assert.deepEqual(
			stubbed.offered.map(({ label }) => label),
			['main → feature/x', 'Changes in feature/x', 'feature/x → main', 'Changes in main'],
		);
	});

	test('compares the current tips of branches', async () => {
		const { fake, parts } = world;
		await parts.connections.all()[0]?.repositories.folders.standing(quill, 'main', never);
		const pushed = fake.world.commit(quill, 'main', fake.world.grow({ 'new.txt': 'new\n' }));
		stubbed.answers.push('main → feature/x');
		const done = window()('forge.repositories.compare', feature);
		(await boxWith((label) => label === 'main')).accept('main');
		await done;
		assert.ok(JSON.stringify(last()?.passed[1]).includes(pushed.id));
	});

	for (const [given, chosen] of [
		['v0.9', 'v1.0'],
		['v1.0', 'v0.9'],
	] as const) {
		test(`puts the older of two tags first, for ${given} compared with ${chosen}`, async () => {
			const { fake, first, second } = world;
			fake.world.logs.set('~alice/quill v0.9', [first]);
			fake.world.logs.set('~alice/quill v1.0', [second, first]);
			fake.world.references
				.get('~alice/quill')
				?.push({ name: 'refs/tags/v0.9', target: first.id }, { name: 'refs/tags/v1.0', target: second.id });
			stubbed.answers.push('v0.9 → v1.0');
			const done = window()('forge.repositories.compare', { ...feature, revision: given });
			(await boxWith((label) => label === chosen)).accept(chosen);
			await done;
			assert.deepEqual(
				stubbed.offered.map(({ label }) => label),
				['v0.9 → v1.0', 'Changes in v1.0', 'v1.0 → v0.9', 'Changes in v0.9'],
			);
			assert.equal(fake.world.calls.filter((call) => call.startsWith('log ')).length, 2, fake.world.calls.join());
		});
	}

	test('shows the changes since the merge base, and names it', async () => {
		stubbed.answers.push('Changes in feature/x');
		const done = window()('forge.repositories.compare', feature);
		(await boxWith((label) => label === 'main')).accept('main');
		await done;
		const { first, feature: tip } = world;
		assert.equal(last()?.passed[0], `feature/x since the merge base with main (${first.id.slice(0, 7)})`);
		assert.deepEqual(last()?.passed[1], [[`${tip.id}/feature.txt`, undefined, `feature.txt?${tip.id}`]]);
	});

	test('takes the newest of several merge bases, and says so', async () => {
		const { fake, first, second, feature: tip, merge } = world;
		const parents = [second.id, tip.id];
		const one = makeCommit(907, { tree: second.tree, parents });
		const other = makeCommit(908, { tree: merge.tree, parents });
		fake.world.logs.set('~alice/quill one', [one, tip, second, first]);
		fake.world.logs.set('~alice/quill other', [other, tip, second, first]);
		stubbed.answers.push('Changes in other');
		const done = window()('forge.repositories.compare', { ...feature, revision: 'other' });
		const box = await boxWith((label) => label === 'main');
		box.type('one');
		box.accept('one');
		await done;
		assert.match(stubbed.shown.join(), /^There are 2 merge bases\./);
		assert.match(String(last()?.passed[0]), /^other since the merge base with one \(/);
	});

	test('offers all changes when the histories have no common commit', async () => {
		const { fake, second } = world;
		const alone = makeCommit(903, { tree: second.tree });
		fake.world.logs.set('~alice/quill alone', [alone]);
		stubbed.answers.push('Changes in feature/x', 'Show All Changes');
		const done = window()('forge.repositories.compare', feature);
		const box = await boxWith((label) => label === 'main');
		box.type('alone');
		box.accept('alone');
		await done;
		assert.match(stubbed.shown.join(), /have no commit in common/);
		await eventually(async () => last()?.passed[0], 'alone → feature/x');
	});

	test('asks for both sides in the palette, and accepts a typed revision', async () => {
		const { first } = world;
		stubbed.answers.push(`main → ${first.id}`);
		const done = window()('forge.repositories.compare');
		const one = await boxWith((label) => label === 'main');
		one.type(first.id);
		one.accept(first.id);
		const other = await boxWith((label) => label === 'main', 2);
		assert.match(other.title, /^Choose a branch, tag or commit to compare [0-9a-f]{7} with$/);
		stubbed.answers[0] = `main → ${first.id.slice(0, 7)}`;
		other.accept('main');
		await done;
		assert.equal(last()?.passed[0], `main → ${first.id.slice(0, 7)}`);
	});

	test('offers no row for an invalid revision', async () => {
		const done = window()('forge.repositories.compare', feature);
		const box = await boxWith((label) => label === 'main');
		box.type('two words');
		assert.ok(!box.items.some(({ label }) => label === 'two words'));
		box.type('main');
		assert.equal(box.items.filter(({ label }) => label === 'main').length, 1);
		box.hide();
		await assert.rejects(done, isAbort);
	});

	test('can swap the sides afterwards', async () => {
		const run = window();
		const { first, second } = world;
		await run('forge.repositories.compare', { kind: 'comparison', ...within, before: first.id, after: second.id });
		const [one, other] = [first.id.slice(0, 7), second.id.slice(0, 7)];
		assert.equal(last()?.passed[0], `${one} → ${other}`);
		await run('forge.repositories.swapSides');
		assert.equal(last()?.passed[0], `${other} → ${one}`);
		const [was, is] = [`README.md?${first.id}`, `README.md?${second.id}`];
		assert.deepEqual(firstFile(watched.opened[0]), [`${second.id}/README.md`, was, is]);
		assert.deepEqual(firstFile(watched.opened[1]), [`${first.id}/README.md`, is, was]);
		assert.equal(watched.opened.length, 2);
	});

	test('compares a selected reference only within its repository', async () => {
		const run = window();
		await run('forge.repositories.selectForCompare', { kind: 'reference', ...within, revision: 'main' });
		assert.equal(stubbed.contexts.get('forge.repositories.selected'), true);
		const elsewhere = { ...feature, ref: { owner: '~bob', name: 'pen' } };
		await run('forge.repositories.compareWithSelected', elsewhere);
		assert.match(stubbed.shown.join(), /^main was selected in ~alice\/quill\./);
		stubbed.answers.push('main → feature/x');
		await run('forge.repositories.compareWithSelected', feature);
		assert.equal(last()?.passed[0], 'main → feature/x');
	});

	test('a command ends while its notice stays open', async () => {
		const { fake, first } = world;
		const open = Promise.withResolvers<string>();
		const run = window();
		stubbed.laterAnswers.push(open.promise, open.promise);
		await run('forge.repositories.selectForCompare', { kind: 'reference', ...within, revision: 'main' });
		await run('forge.repositories.compareWithSelected', { ...feature, ref: { owner: '~bob', name: 'pen' } });
		fake.world.logs.set('~alice/quill alone', [makeCommit(903, { tree: first.tree })]);
		stubbed.answers.push('Changes in alone');
		await run('forge.repositories.compareWithSelected', { ...feature, revision: 'alone' });
		assert.match(stubbed.shown.join(), /^main was selected in .*have no commit in common/);
		assert.deepEqual(watched.opened, []);
		open.resolve('Show All Changes');
		await eventually(async () => last()?.passed[0], 'main → alone');
		await run('forge.repositories.swapSides');
		assert.equal(last()?.passed[0], 'alone → main');
	});

	test('reports when both sides have the same files', async () => {
		const { second } = world;
		await window()('forge.repositories.compare', {
			kind: 'comparison',
			...within,
			before: second.id,
			after: second.id,
		});
		assert.match(stubbed.shown.join(), /have the same files/);
		assert.deepEqual(watched.opened, []);
	});

	test('fails for an unknown revision', async () => {
		const subject = { kind: 'comparison', ...within, before: 'no-such', after: world.second.id };
		await assert.rejects(window()('forge.repositories.compare', subject), isForgeError);
	});
});

suite('comparing a file with a remote one', () => {
	setup(begin);
	teardown(() => watched.dispose());

	const clone: OpenClones = {
		at: async ({ path }) =>
			path.startsWith('/code/')
				? { clone: fake<OpenClone>({ ...within, head: undefined }), path: path.slice('/code/'.length) }
				: undefined,
		of: async () => fake<OpenClone>({ root: uriAt('/code') }),
	};

	test('compares the working file of a clone with the chosen reference', async () => {
		const done = window(clone)('forge.repositories.compareWithFile', uriAt('/code/README.md'));
		const box = await boxWith((label) => label === 'main');
		assert.equal(box.title, 'Choose a branch, tag or commit to compare README.md with');
		box.accept('main');
		await done;
		assert.deepEqual(last()?.passed, [
			`${world.second.id}/README.md`,
			'file:///code/README.md',
			'README.md (main → working file)',
			{ preview: true },
		]);
	});

	test('asks for the remote path of a file outside all clones', async () => {
		stubbed.answers.push('src/main.c');
		const done = window()('forge.repositories.compareWithFile', uriAt('/elsewhere/main.c'));
		(await boxWith((label) => label === 'main')).accept('main');
		await done;
		assert.deepEqual(last()?.passed.slice(0, 2), [`${world.second.id}/src/main.c`, 'file:///elsewhere/main.c']);
	});

	test('reports when the file does not exist at the reference', async () => {
		// The notice stays open.
		stubbed.laterAnswers.push(Promise.withResolvers<string>().promise);
		const done = window(clone)('forge.repositories.compareWithFile', uriAt('/code/added.txt'));
		(await boxWith((label) => label === 'feature/x')).accept('feature/x');
		await done;
		assert.deepEqual([stubbed.shown, watched.opened], [["added.txt doesn't exist at feature/x."], []]);
	});

	test('compares a remote file with another reference, the clone, or any file', async () => {
		const { second, feature: tip } = world;
		const subject = { kind: 'file', ...within, at: { ref: 'main', path: 'README.md' } };
		const run = window(clone);
		stubbed.answers.push('The same file at another branch, tag or commit…');
		const done = run('forge.repositories.compareWithFile', subject);
		(await boxWith((label) => label === 'feature/x')).accept('feature/x');
		await done;
		assert.deepEqual(last()?.passed.slice(0, 2), [`README.md?${tip.id}`, `README.md?${second.id}`]);
		stubbed.answers.push('The file in my clone');
		await run('forge.repositories.compareWithFile', subject);
		assert.deepEqual(last()?.passed.slice(0, 2), [`${second.id}/README.md`, 'file:///code/README.md']);
		stubbed.answers.push('Another file on this computer…', '/home/note.md');
		await run('forge.repositories.compareWithFile', subject);
		assert.equal(last()?.passed[1], 'file:///home/note.md');
		assert.equal(watched.opened.length, 3);
	});

	test('offers no path that leads out of the clone', async () => {
		stubbed.answers.push(undefined);
		const subject = { kind: 'file', ...within, at: { ref: 'main', path: '../../etc/passwd' } };
		await assert.rejects(window(clone)('forge.repositories.compareWithFile', subject), isAbort);
		assert.ok(!stubbed.offered.some(({ label }) => label === 'The file in my clone'));
	});
});
