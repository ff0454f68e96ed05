import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileLines, type FileLines } from '../../../../src/machine/storage/fileLines.ts';
import type { Arrival, Listener } from '../../../../src/store/listening/openedListener.ts';
import { eventually } from '../../../support/eventually.ts';
import { deliveryBytes, exchange, hookPath, makeSigner, statusOf } from '../../../support/hookSender.ts';
import { quietLog } from '../../../support/quietLog.ts';

const { webhookListener } = await import('../../../../src/app/webhooks/windowWebhooks.ts');

suite('listener of a window', () => {
	const never = new AbortController().signal;
	const signer = makeSigner();
	const bare = `/${'b'.repeat(43)}`;
	const wrong = `/${'w'.repeat(43)}`;
	const keys = new Map([
		[hookPath, signer.publicKey],
		[bare, undefined],
		[wrong, 'no key'],
	]);
	const arrived: Arrival[] = [];
	const forged: string[] = [];
	let folder: string;
	setup(() => {
		folder = mkdtempSync(join(tmpdir(), 'forge-desk-seen-'));
	});
	teardown(async () => {
		await Promise.all(opened.splice(0).map((seen) => seen.flush()));
		rmSync(folder, { recursive: true });
	});
	const opened: FileLines[] = [];

	/** Each call simulates another window. */
	async function listen(port = 0): Promise<Listener> {
		const seen = fileLines(join(folder, 'windows', 'seen.txt'), 100);
		opened.push(seen);
		const open = webhookListener(seen, quietLog());
		const opening = await open(
			{
				port,
				address: '127.0.0.1',
				hosts: () => ['hooks.example'],
				hookAt: (path) => (keys.has(path) ? { publicKey: keys.get(path) } : undefined),
				misnamed: () => undefined,
				answer: (path) => `answer at ${path}`,
				received: (each) => void arrived.push(each),
				forged: (path) => void forged.push(path),
			},
			never,
		);
		assert.ok(opening.kind === 'open');
		return opening.listener;
	}

	test('checks each path with the key of its forge, and passes deliveries on', async () => {
		const listener = await listen();
		const { port } = listener;
		const send = (path: string, signed: boolean): Promise<string> =>
			exchange(port, deliveryBytes({ host: 'hooks.example', path, event: 'ping', ...(signed ? { signer } : {}) }));
		try {
			assert.match(await send(hookPath, true), /answer at \/\w+$/);
			assert.match(await send(bare, false), /answer at \/\w+$/);
			const refused = [await send(hookPath, false), await send(wrong, true), await send(wrong, false)];
			assert.deepEqual(refused.map(statusOf), [404, 404, 404]);
			assert.deepEqual(forged, [hookPath]);
			const others = deliveryBytes({ host: 'hooks.example', path: hookPath, event: 'ping', signer: makeSigner() });
			assert.equal(statusOf(await exchange(port, others)), 404);
			assert.deepEqual(forged, [hookPath, hookPath]);
			await eventually(
				() => Promise.resolve(arrived.map((each) => (each.kind === 'delivery' ? each.delivery.path : each.path))),
				[hookPath, bare],
			);
		} finally {
			listener.dispose();
		}
	});

	const bytes = deliveryBytes({ host: 'hooks.example', signer, nonce: '00000000000000aa' });

	test('rejects a delivery that an earlier listener received, also one in another window on the same port', async () => {
		const first = await listen();
		assert.equal(statusOf(await exchange(first.port, bytes)), 200);
		first.dispose();
		const second = await listen(first.port);
		assert.equal(statusOf(await exchange(second.port, bytes)), 404);
		second.dispose();
	});

	test('rejects a delivery that a window received just before a kill', async () => {
		const killed = await listen();
		try {
			assert.equal(statusOf(await exchange(killed.port, bytes)), 200);
			const path = join(folder, 'windows', 'seen.txt');
			const count = (): number => (existsSync(path) ? fileLines(path, 100).read().length : 0);
			await eventually(() => Promise.resolve(count()), 2);
			const next = await listen();
			assert.equal(statusOf(await exchange(next.port, bytes)), 404);
			next.dispose();
		} finally {
			killed.dispose();
		}
	});
});
