import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { isAbort } from '@forge-desk/base/abort.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../../../../src/store/connection.ts';
import { keptRepositories } from '../../../../../src/store/repositories/keptRepositories.ts';
import {
	fakeStore,
	idOf,
	makeCommit,
	quill,
	quillWorld,
	repositoryConnection,
	type FakeRepositories,
} from '../../../../support/fakeRepositories.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { repositoryDesk } from '../../../../support/repositoryDesk.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { resetStub, stubbed, type StubbedBox } from '../../../../support/vscodeValues.ts';
import { fake as partial } from '../../../../support/fake.ts';
import type { RepositoriesContext } from '../../../../../src/features/repositories/parts/repositoriesContext.ts';

const { pickReference } = await import('../../../../../src/features/repositories/questions/pickReference.ts');
const { repositoryTree } = await import('../../../../../src/features/repositories/tree/repositoryTree.ts');

const never = new AbortController().signal;

interface Asked {
	readonly box: StubbedBox;
	readonly answer: Promise<string>;
}

async function ask(fake: FakeRepositories, current?: string, kept?: Connection): Promise<Asked> {
	const connection = kept ?? repositoryDesk(fake).connection;
	const nowMs = Date.UTC(2026, 10, 20);
	const answer = pickReference({ connection, ref: quill, title: 'Which?', current, nowMs }, never);
	let failed = false;
	// A test of the rows alone leaves the question open.
	answer.catch(() => (failed = true));
	for (;;) {
		if (failed && !stubbed.boxes.at(-1)?.isShown) {
			await answer;
		}
		const box = stubbed.boxes.at(-1);
		if (box?.isShown) {
			return { box, answer };
		}
		await new Promise((resolve) => setImmediate(resolve));
	}
}

function labels({ items }: StubbedBox): readonly string[] {
	return items.map(({ label }) => label);
}

suite('reference picker', () => {
	setup(resetStub);

	test('offers another window’s references offline, and says so', async () => {
		const disk = keptRepositories(textsInMemory(), fakeClock(Date.UTC(2026, 10, 18)));
		const openWindow = (fake: FakeRepositories): Connection => repositoryConnection(fakeStore(fake, { disk }));
		const there = quillWorld();
		const shown = labels((await ask(there, undefined, openWindow(there))).box);
		resetStub();
		const away = quillWorld();
		away.world.before = () =>
			Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'git.forge.test' }));
		const connection = openWindow(away);
		const { box } = await ask(away, undefined, connection);
		assert.deepEqual(labels(box), shown);
		assert.equal(box.placeholder, 'Offline – showing data from 2 days ago');
		resetStub();
		away.world.before = () => undefined;
		away.world.references.get('~alice/quill')?.pop();
		const { box: later } = await ask(away, undefined, connection);
		assert.ok(!labels(later).includes('v1.0'));
		assert.doesNotMatch(later.placeholder, /Offline/);
	});

	test('groups branches and tags under headings, the default first, newest version first', async () => {
		const fake = quillWorld();
		fake.world.references
			.get('~alice/quill')
			?.push(
				{ name: 'refs/tags/v1.10', target: idOf(5) },
				{ name: 'refs/tags/v1.9', target: idOf(6) },
				{ name: 'refs/notes/build', target: idOf(7) },
			);
		const { box } = await ask(fake, 'v1.9');
		assert.deepEqual(labels(box), [
			'Branches',
			'main',
			'feature/x',
			'Tags',
			'v1.10',
			'v1.9',
			'v1.0',
			'Other references',
			'notes/build',
		]);
		assert.equal(box.items[1]?.description, `${idOf(1).slice(0, 7)} · default`);
		assert.deepEqual(
			box.activeItems.map(({ label, description }) => [label, description]),
			[['v1.9', 'open now']],
		);
	});

	test('names no default branch and starts with HEAD when the forge does not report one', async () => {
		const fake = quillWorld();
		fake.world.heads.clear();
		const { box, answer } = await ask(fake);
		assert.deepEqual(labels(box), ['Default branch', 'HEAD', 'Branches', 'main', 'feature/x', 'Tags', 'v1.0']);
		assert.equal(box.items[1]?.description, 'this forge does not report which branch it is');
		assert.equal(box.items[3]?.description, idOf(1).slice(0, 7));
		box.type('HEAD');
		assert.ok(!labels(box).includes('Another revision'), 'what is there is not offered twice');
		box.accept('HEAD');
		assert.equal(await answer, 'HEAD');
		const again = await ask(fake, 'HEAD');
		assert.match(again.box.activeItems[0]?.description ?? '', /· open now$/);
	});

	test('shows the target of a tag only when it is a known commit', async () => {
		const fake = quillWorld();
		fake.world.logs.set('~alice/quill v1.0', [makeCommit(9)]);
		const { connection } = repositoryDesk(fake);
		const ask1 = async (): Promise<string | undefined> => {
			const answer = pickReference({ connection, ref: quill, title: 'Which?' }, never);
			answer.catch(() => undefined);
			await connection.repositories.references(quill).first(never);
			await connection.repositories.names.defaultBranch(quill, never);
			await new Promise((resolve) => setImmediate(resolve));
			return stubbed.boxes.at(-1)?.items.find(({ label }) => label === 'v1.0')?.description;
		};
		assert.equal(await ask1(), '');
		await connection.repositories.log(quill, 'v1.0').first(never);
		assert.equal(await ask1(), idOf(9).slice(0, 7));
		const tree = repositoryTree(
			partial<RepositoriesContext>({
				connections: repositoryDesk(fake).connections,
				ready: () => Promise.resolve(),
				problems: quietProblems,
				clock: fakeClock(),
			}),
		);
		const [repository] = await tree.roots(never);
		const groups = (await repository?.children?.(never)) ?? [];
		const [tag] = (await groups.find(({ item }) => item.label === 'Tags')?.children?.(never)) ?? [];
		assert.deepEqual([tag?.item.label, tag?.item.description], ['v1.0', '']);
		const tooltip = await tag?.tooltip?.(never);
		assert.match(JSON.stringify(tooltip), /Points to object/);
		tree.dispose();
	});

	test('escapes names', async () => {
		const fake = quillWorld();
		fake.world.references.set('~alice/quill', [{ name: 'refs/heads/$(trash)\u202Egnp', target: idOf(2) }]);
		const { box } = await ask(fake);
		assert.equal(labels(box)[1], '$\u2060(trash)⟨U+202E⟩gnp');
	});

	test('accepts an existing revision that the user types, and completes an id', async () => {
		const fake = quillWorld();
		const id = idOf(3);
		fake.world.logs.set('~alice/quill main', [makeCommit(3)]);
		const first = await ask(fake);
		first.box.type(id.slice(0, 9));
		assert.equal(labels(first.box)[0], id.slice(0, 9), 'an id stands on top');
		first.box.accept();
		assert.equal(await first.answer, id);

		fake.world.logs.set('~alice/quill main~2', [makeCommit(3)]);
		const second = await ask(fake);
		second.box.type('main~2');
		const last = second.box.items.at(-1);
		// The editor would move a label with the typed text to the top.
		assert.deepEqual([last?.label, last?.description], ['Another revision', 'main~2'], 'anything else stands below');
		second.box.type('main');
		assert.ok(!labels(second.box).includes('Another revision'), 'what is there is not offered twice');
		second.box.type('main~2');
		second.box.accept('Another revision');
		assert.equal(await second.answer, 'main~2');
	});

	test('reports an unknown revision in the list, which stays open with the text', async () => {
		const fake = quillWorld();
		fake.world.before = (call) => {
			if (call.startsWith('log') && call.includes('nothing')) {
				throw new ForgeError({ kind: 'notFound' });
			}
		};
		const { box, answer } = await ask(fake);
		box.type('nothing');
		box.accept('Another revision');
		while (box.title === 'Which?') {
			await new Promise((resolve) => setImmediate(resolve));
		}
		assert.equal(box.title, 'quill has no revision named nothing');
		assert.ok(box.isShown);
		assert.equal(box.value, 'nothing');
		box.hide();
		await assert.rejects(answer, isAbort);
	});

	test('asks nothing for an empty repository, and says why', async () => {
		const fake = quillWorld();
		fake.world.references.set('~alice/quill', []);
		const { connection } = repositoryDesk(fake);
		const answer = pickReference({ connection, ref: quill, title: 'Which?' }, never);
		await assert.rejects(answer, isAbort);
		assert.deepEqual(stubbed.boxes, []);
		assert.match(stubbed.shown.join(), /~alice\/quill is empty/);
	});

	test('offers no row for blanks or a leading slash', async () => {
		const { box } = await ask(quillWorld());
		const before = labels(box);
		for (const text of ['', '  ', 'two words', '/etc']) {
			box.type(text);
			assert.deepEqual(labels(box), before, text);
		}
	});
});
