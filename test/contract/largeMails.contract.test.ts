import assert from 'node:assert/strict';
import { join } from 'node:path';
import { jsonWorker } from '../../src/threads/jsonWorker.ts';
import type { FarJson } from '../../src/base/farJson.ts';
import type { Disposable } from '../../src/base/lifecycle.ts';
import type { Email } from '../../src/forge/list.ts';
import { readMail } from '../../src/mail/readMail.ts';
import { openNet, type Net } from '../../src/net.ts';
import { root } from '../harness/places.ts';
import { contractSuite, directTransport, systemClock } from '../support/contractForge.ts';
import { quietLog } from '../support/quietLog.ts';

const lines = 60_000;
const text = Array.from({ length: lines }, (_, line) => `+Größe of line ${line}`).join('\n');

const large = { messageId: '<large1@forge.test>', list: undefined };

contractSuite('large mails', {}, ({ dialect, forge }) => {
	let net: Net | undefined;
	let far: (FarJson & Disposable) | undefined;
	let read = 0;
	let onRead = (): void => undefined;
	const never = new AbortController().signal;

	suiteSetup(async () => {
		const { sample } = forge();
		for (const at of [1, 2]) {
			await sample.act('/lists/mail', {
				list: '~alice/lantern-devel',
				mail: [
					'From: Bob Builder <bob@forge.test>',
					'To: ~alice/lantern-devel@lists.forge.test',
					'Subject: A very long mail',
					`Message-ID: <large${at}@forge.test>`,
					...(at === 1 ? [] : ['In-Reply-To: <large1@forge.test>']),
					'Content-Type: text/plain; charset=utf-8',
					'Content-Transfer-Encoding: 8bit',
					'',
					text,
					'',
				].join('\r\n'),
			});
		}
		const worker = jsonWorker({
			programPath: join(root, 'src/mailParser.ts'),
			limitMs: 15_000,
			clock: systemClock,
			log: quietLog(),
		});
		far = {
			async *read(body, signal) {
				read += 1;
				onRead();
				yield* worker.read(body, signal);
			},
			dispose: () => worker.dispose(),
		};
		net = openNet({ transport: directTransport, clock: systemClock, random: Math.random, farJson: far });
	});
	suiteTeardown(async () => {
		await net?.close();
		far?.dispose();
	});

	test('are the same whether they were parsed here or elsewhere, alone and in their thread', async () => {
		assert.ok(net);
		const { instance, sample } = forge();
		const there = net.connectForge({ instance, me: '~alice', tokenFor: () => sample.tokens.alice }).lists;
		const here = forge().as('alice').lists;
		const alone = await there.email(large, never);
		assert.ok(alone.envelope.length > 1_048_576);
		assert.deepEqual(alone, await here.email(large, never));
		const thread = await there.thread(alone.id, never);
		assert.deepEqual(thread, await here.thread(alone.id, never));
		assert.equal(thread.length, 2);
		// Threads of short mails are small.
		assert.equal(read, dialect === 'field' ? 2 : 1);
		await assertWhole(alone);
	});

	test('nobody waits for one that is no longer wanted, before it comes or while it is parsed', async () => {
		assert.ok(net);
		const { instance, sample } = forge();
		const { lists } = net.connectForge({ instance, me: '~alice', tokenFor: () => sample.tokens.alice });
		const atOnce = new AbortController();
		const unasked = lists.email(large, atOnce.signal);
		atOnce.abort(new Error('enough'));
		await assert.rejects(unasked, { message: 'enough' });
		const late = new AbortController();
		const before = read;
		onRead = () => late.abort(new Error('too late'));
		await assert.rejects(lists.email(large, late.signal), { message: 'too late' });
		assert.equal(read, before + 1);
		onRead = () => undefined;
		assert.equal((await lists.email(large, never)).messageId, '<large1@forge.test>');
	});
});

async function assertWhole({ envelope }: Email): Promise<void> {
	const reading = await readMail(envelope, { evenIfLarge: true });
	assert.ok(reading.kind === 'read');
	assert.equal(reading.mail.body, `${text}\n`);
}
