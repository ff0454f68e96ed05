import assert from 'node:assert/strict';
import { join } from 'node:path';
import { jsonWorker } from '../../../../src/machine/threads/jsonWorker.ts';
import { systemClock } from '../../../../src/app/accounts/systemClock.ts';
import type { WorkerJson, JsonPiece } from '@forge-desk/base/workerJson.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import { turnsDuring } from '../../../support/turnsDuring.ts';
import { quietLog } from '../../../support/quietLog.ts';

const { signal } = new AbortController();

function bytes(value: unknown): Uint8Array {
	return new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
}

suite('JSON worker', () => {
	let worker: (WorkerJson & Disposable) | undefined;
	const logged: string[] = [];
	const started = (limitMs = 60_000, program = 'mailParser.ts'): WorkerJson & Disposable => {
		worker = jsonWorker(
			{
				programPath: join(import.meta.dirname, '../../../../src', program),
				clock: systemClock,
				log: quietLog({ error: (message) => void logged.push(message) }),
			},
			limitMs,
		);
		return worker;
	};
	setup(() => void (logged.length = 0));
	teardown(() => worker?.dispose());

	test('delivers a list in pieces and lets other tasks run between them', async () => {
		const items = Array.from({ length: 3000 }, (_, id) => ({ id, text: 'x'.repeat(500), inner: [{ id }] }));
		let pieces: readonly JsonPiece[] = [];
		const turns = await turnsDuring(async () => {
			pieces = await piecesOf(started(), bytes({ next: '7', results: items, total: 3000 }));
		});
		assert.deepEqual(pieces[0], { kind: 'around', value: { next: '7', results: [], total: 3000 } });
		assert.deepEqual(
			pieces.flatMap((piece) => (piece.kind === 'items' ? piece.items : [])),
			items,
		);
		assert.ok(pieces.length >= 10 && turns >= pieces.length, `${pieces.length} pieces, ${turns} turns`);
	}).timeout(60_000);

	test('parses several responses one after another', async () => {
		const far = started();
		const values = [[1, 2], { a: 1 }, [], '"text"', null, [[{ results: [1] }]]];
		const read = await Promise.all(values.map((value) => piecesOf(far, bytes(value))));
		assert.deepEqual(read, [
			[
				{ kind: 'around', value: [] },
				{ kind: 'items', items: [1, 2] },
			],
			[{ kind: 'around', value: { a: 1 } }],
			[{ kind: 'around', value: [] }],
			[{ kind: 'around', value: 'text' }],
			[{ kind: 'around', value: null }],
			[
				{ kind: 'around', value: [] },
				{ kind: 'items', items: [[{ results: [1] }]] },
			],
		]);
	}).timeout(60_000);

	test('reports invalid JSON and parses the next response', async () => {
		const far = started();
		const broken = piecesOf(far, bytes('[1,'));
		const next = piecesOf(far, bytes('7'));
		assert.deepEqual([await broken, await next], [[{ kind: 'noJson' }], [{ kind: 'around', value: 7 }]]);
	}).timeout(60_000);

	test('stops parsing an aborted response without affecting others', async () => {
		const far = started();
		const giving = new AbortController();
		const unwanted = piecesOf(far, bytes(`[${'1,'.repeat(2_000_000)}1]`), giving.signal);
		const wanted = piecesOf(far, bytes('7'));
		setImmediate(() => giving.abort(new Error('enough')));
		await assert.rejects(unwanted, { message: 'enough' });
		assert.deepEqual(await wanted, [{ kind: 'around', value: 7 }]);
	}).timeout(60_000);

	test('drops a half-read response to make room for the next one', async () => {
		const far = started();
		for await (const piece of far.read(bytes([1, 2, 3]), signal)) {
			assert.equal(piece.kind, 'around');
			break;
		}
		assert.deepEqual(await piecesOf(far, bytes('7')), [{ kind: 'around', value: 7 }]);
	}).timeout(60_000);

	test('gives up on a response that takes too long', async () => {
		const pieces = await piecesOf(started(1), bytes(`[${'{},'.repeat(1_000_000)}1]`));
		assert.deepEqual(pieces, [{ kind: 'tooMuch' }]);
	}).timeout(60_000);

	test('refuses a response that would need too much memory, but ignores brackets in strings', async () => {
		const far = started();
		assert.deepEqual(await piecesOf(far, bytes(`[${'{"a":[]},'.repeat(1_100_000)}1]`)), [{ kind: 'tooMuch' }]);
		const text = `"[{\\${'[{'.repeat(1_100_000)}`;
		assert.deepEqual(await piecesOf(far, bytes(text.slice(0, 9))), [{ kind: 'noJson' }]);
		assert.deepEqual(await piecesOf(far, bytes([text])), [
			{ kind: 'around', value: [] },
			{ kind: 'items', items: [text] },
		]);
	}).timeout(60_000);

	test('gives up on endless nesting', async () => {
		const depth = 400_000;
		const pieces = await piecesOf(started(), bytes('['.repeat(depth) + ']'.repeat(depth)));
		assert.deepEqual(pieces.at(-1), { kind: 'tooMuch' });
	}).timeout(60_000);

	test('logs a missing program and gives up on the response', async () => {
		assert.deepEqual(await piecesOf(started(60_000, 'missing.ts'), bytes('7')), [{ kind: 'tooMuch' }]);
		assert.equal(logged.length, 1);
	}).timeout(60_000);
});

async function piecesOf(far: WorkerJson, body: Uint8Array, wanted = signal): Promise<readonly JsonPiece[]> {
	const pieces: JsonPiece[] = [];
	for await (const piece of far.read(body, wanted)) {
		pieces.push(piece);
	}
	return pieces;
}
