import assert from 'node:assert/strict';
import { webhookListener } from '../../../../src/app/webhooks/webhookListener.ts';
import type { Arrived, OpenedListener } from '../../../../src/state/listening/listening.ts';
import { systemClock } from '../../../support/contractForge.ts';
import { eventually } from '../../../support/eventually.ts';
import { deliveryBytes, exchange, hookPath, makeSigner, statusOf } from '../../../support/hookSender.ts';
import { quietLog } from '../../../support/quietLog.ts';

suite('the listener of a window', () => {
	const never = new AbortController().signal;
	const signer = makeSigner();
	const bare = `/${'b'.repeat(43)}`;
	const wrong = `/${'w'.repeat(43)}`;
	const keys = new Map([
		[hookPath, signer.publicKey],
		[bare, undefined],
		[wrong, 'no key'],
	]);
	const arrived: Arrived[] = [];
	const forged: string[] = [];
	const open = webhookListener({ clock: systemClock, log: quietLog() });

	async function listen(): Promise<OpenedListener> {
		const opened = await open(
			{
				port: 0,
				address: '127.0.0.1',
				hosts: () => ['hooks.example'],
				hookAt: (path) => (keys.has(path) ? { publicKey: keys.get(path) } : undefined),
				answer: ({ event }) => `answer to ${event}`,
				received: (each) => void arrived.push(each),
				forged: (path) => void forged.push(path),
			},
			never,
		);
		assert.ok(opened.kind === 'open');
		return opened.listener;
	}

	test('each path is held to the key of its forge, and what comes is handed on', async () => {
		const listener = await listen();
		const { port } = listener;
		const send = (path: string, signed: boolean): Promise<string> =>
			exchange(port, deliveryBytes({ host: 'hooks.example', path, event: 'ping', ...(signed ? { signer } : {}) }));
		try {
			assert.match(await send(hookPath, true), /answer to ping$/);
			assert.match(await send(bare, false), /answer to ping$/);
			const refused = [await send(hookPath, false), await send(wrong, true), await send(wrong, false)];
			assert.deepEqual(refused.map(statusOf), [404, 404, 404]);
			assert.deepEqual(forged, []);
			const others = deliveryBytes({ host: 'hooks.example', path: hookPath, event: 'ping', signer: makeSigner() });
			assert.equal(statusOf(await exchange(port, others)), 404);
			assert.deepEqual(forged, [hookPath]);
			await eventually(
				() => Promise.resolve(arrived.map((each) => (each.kind === 'delivery' ? each.delivery.path : each.path))),
				[hookPath, bare],
			);
		} finally {
			listener.dispose();
		}
	});

	test('what one listener took in is not taken in by the next', async () => {
		const bytes = (host: string): Buffer => deliveryBytes({ host, signer, nonce: '00000000000000aa' });
		const first = await listen();
		assert.equal(statusOf(await exchange(first.port, bytes('hooks.example'))), 200);
		first.dispose();
		const second = await listen();
		assert.equal(statusOf(await exchange(second.port, bytes('hooks.example'))), 404);
		second.dispose();
	});
});
