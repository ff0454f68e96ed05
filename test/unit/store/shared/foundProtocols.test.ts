import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ContentArea, KnownProtocols, Protocol } from 'sourcehut/port/instance.ts';
import { foundProtocols, type FoundProtocols } from '../../../../src/store/shared/foundProtocols.ts';
import { textInMemory, type KeptText } from '../../../../src/store/shared/keptText.ts';
import { fakeClock, type FakeClock } from '../../../support/fakeClock.ts';
import { makeInstance } from '../../../support/makeSession.ts';

const never = new AbortController().signal;
const [minuteMs, hourMs] = [60_000, 3_600_000];
const unreachable = new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.example' });

suite('found protocols', () => {
	const unsaid = makeInstance({ protocols: {} });
	let kept: KeptText;
	let clock: FakeClock;
	let asked: ContentArea[];
	let changes: number;
	let answer: () => Protocol | undefined;
	let found: FoundProtocols;

	function open(): void {
		found = foundProtocols(
			async (_, area) => {
				asked.push(area);
				await Promise.resolve();
				return answer();
			},
			kept,
			clock,
		);
		found.onDidChange(() => (changes += 1));
	}

	setup(() => {
		kept = textInMemory();
		clock = fakeClock();
		asked = [];
		changes = 0;
		answer = () => 'graphql';
		open();
	});

	teardown(() => found.dispose());

	const known = (): KnownProtocols => found.withFound(unsaid).protocols;

	test('are requested for one area at a time, not when opened', async () => {
		assert.deepEqual([asked, known()], [[], { todo: undefined, lists: undefined, git: undefined }]);
		await found.find(unsaid, 'git', never);
		assert.deepEqual([asked, known()], [['git'], { todo: undefined, lists: undefined, git: 'graphql' }]);
	});

	test('are requested once, and reported if different from the default', async () => {
		await found.find(unsaid, 'todo', never);
		assert.equal(changes, 1);
		assert.equal(found.find(unsaid, 'todo', never), undefined);
		answer = () => 'rest';
		await found.find(unsaid, 'lists', never);
		assert.deepEqual([asked, changes], [['todo', 'lists'], 1]);
	});

	test('are stored for the next window and checked again after a day', async () => {
		await found.find(unsaid, 'todo', never);
		open();
		assert.equal(known().todo, 'graphql');
		clock.advance(24 * hourMs - 1);
		assert.equal(found.find(unsaid, 'todo', never), undefined);
		clock.advance(1);
		answer = () => 'rest';
		await found.find(unsaid, 'todo', never);
		assert.deepEqual([asked, known().todo, changes], [['todo', 'todo'], 'rest', 2]);
	});

	test('stay while the server is unreachable, with few retries', async () => {
		await found.find(unsaid, 'todo', never);
		clock.advance(25 * hourMs);
		answer = () => {
			throw unreachable;
		};
		await found.find(unsaid, 'todo', never);
		assert.equal(known().todo, 'graphql');
		assert.equal(found.find(unsaid, 'todo', never), undefined);
		clock.advance(11 * minuteMs);
		await found.find(unsaid, 'todo', never);
		assert.equal(asked.length, 3);
	});

	test('stay unknown while the server is unreachable, and the next request tries again', async () => {
		answer = () => {
			throw unreachable;
		};
		const finding = found.find(unsaid, 'todo', never);
		assert.ok(finding);
		await assert.rejects(finding, isForgeError);
		assert.deepEqual([known().todo, kept.read()], [undefined, undefined]);
		answer = () => 'rest';
		await found.find(unsaid, 'todo', never);
		assert.equal(known().todo, 'rest');
	});

	test('stay unknown after a server error, with a pause of a minute', async () => {
		answer = () => undefined;
		await found.find(unsaid, 'todo', never);
		assert.deepEqual([known().todo, found.find(unsaid, 'todo', never)], [undefined, undefined]);
		clock.advance(minuteMs);
		answer = () => 'graphql';
		await found.find(unsaid, 'todo', never);
		assert.deepEqual([known().todo, asked.length], ['graphql', 2]);
	});

	test('from the settings are never checked or changed', async () => {
		const said = makeInstance({ protocols: { todo: 'rest' } });
		assert.equal(found.find(said, 'todo', never), undefined);
		found.doubt(said, 'todo');
		await found.find(unsaid, 'todo', never);
		assert.equal(found.withFound(said).protocols.todo, 'rest');
		assert.deepEqual(asked, ['todo']);
	});

	test('are checked again after a response of another protocol, at most every ten minutes', async () => {
		await found.find(unsaid, 'todo', never);
		answer = () => 'rest';
		found.doubt(unsaid, 'todo');
		assert.equal(asked.length, 1, 'it has just said it');
		clock.advance(11 * minuteMs);
		found.doubt(unsaid, 'todo');
		found.doubt(unsaid, 'todo');
		assert.equal(asked.length, 2);
		await new Promise(setImmediate);
		assert.deepEqual([known().todo, changes], ['rest', 2]);
	});

	test('work without storage, and ignore invalid stored data', async () => {
		for (const text of ['{', '[]', '{"https://todo.forge.example":{"protocol":"soap","atMs":1}}', 7]) {
			kept = { read: () => text, write: () => Promise.reject(new Error('The disk is full')) };
			open();
			assert.equal(known().todo, undefined);
			await found.find(unsaid, 'todo', never);
			assert.equal(known().todo, 'graphql');
		}
	});
});
