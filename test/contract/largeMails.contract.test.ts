import assert from 'node:assert/strict';
import { join } from 'node:path';
import { jsonWorker } from '../../src/machine/threads/jsonWorker.ts';
import type { WorkerJson } from '@forge-desk/base/workerJson.ts';
import type { Disposable } from '@forge-desk/base/lifecycle.ts';
import type { ListApi } from 'sourcehut/port/forge.ts';
import type { Email } from 'sourcehut/port/list.ts';
import { readMail } from 'patchmail/mail/readMail.ts';
import { openNet, type Net } from 'sourcehut/net.ts';
import { root } from '../harness/places.ts';
import {
	contractSuite,
	type ContractForge,
	directTransport,
	protocolSuite,
	systemClock,
} from '../support/contractForge.ts';
import { quietLog } from '../support/quietLog.ts';

const lines = 60_000;
const text = Array.from({ length: lines }, (_, line) => `+Größe of line ${line}`).join('\n');

const never = new AbortController().signal;
const large = { messageId: '<large1@forge.test>', list: { owner: '~alice', name: 'lantern-devel' } };

/** Counts the responses parsed on a worker thread. */
interface Reading {
	count: number;
	onRead: () => void;
}

interface LargeMails {
	readonly reading: Reading;
	/** Lists of a client that parses large responses on a worker thread. */
	readonly lists: () => ListApi;
}

/** Two large mails, one a reply to the other, for the tests of a suite. */
function withLargeMails(forge: () => ContractForge): LargeMails {
	let net: Net | undefined;
	let far: (WorkerJson & Disposable) | undefined;
	const reading: Reading = { count: 0, onRead: () => undefined };

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
		const worker = jsonWorker(
			{ programPath: join(root, 'src/mailParser.ts'), clock: systemClock, log: quietLog() },
			15_000,
		);
		far = {
			async *read(body, signal) {
				reading.count += 1;
				reading.onRead();
				yield* worker.read(body, signal);
			},
			dispose: () => worker.dispose(),
		};
		net = openNet({ transport: directTransport, clock: systemClock, random: Math.random, workerJson: far });
	});
	suiteTeardown(async () => {
		await net?.close();
		far?.dispose();
	});

	return {
		reading,
		lists() {
			const { instance, sample } = forge();
			assert.ok(net);
			return net.connectForge({ instance, me: '~alice', tokenFor: () => sample.tokens.alice }).lists;
		},
	};
}

/** Servers that send mails as files have no JSON to parse. */
const parsings = { field: 2, document: 1, graphql: 0 } as const;

protocolSuite('large mails', {}, ({ dialect, forge }) => {
	const { reading, lists } = withLargeMails(forge);

	test('are the same from the worker and the main thread, alone and in their thread', async () => {
		const there = lists();
		const here = forge().as('alice').lists;
		const alone = await there.email(large, never);
		assert.ok(alone.envelope.length > 1_048_576);
		assert.deepEqual(alone, await here.email(large, never));
		const thread = await there.thread(alone.id, never);
		assert.deepEqual(thread, await here.thread(alone.id, never));
		assert.equal(thread.length, 2);
		// Threads of short mails stay below the size limit.
		assert.equal(reading.count, parsings[dialect]);
		await assertWhole(alone);
	});
});

/** Only REST sends mails as JSON with their text. */
contractSuite('large mails in JSON', {}, ({ forge }) => {
	const { reading, lists } = withLargeMails(forge);

	test('an abort ends the call before the mail arrives and while the worker parses it', async () => {
		const there = lists();
		const atOnce = new AbortController();
		const unasked = there.email(large, atOnce.signal);
		atOnce.abort(new Error('enough'));
		await assert.rejects(unasked, { message: 'enough' });
		const late = new AbortController();
		const before = reading.count;
		reading.onRead = () => late.abort(new Error('too late'));
		await assert.rejects(there.email(large, late.signal), { message: 'too late' });
		assert.equal(reading.count, before + 1);
		reading.onRead = () => undefined;
		assert.equal((await there.email(large, never)).messageId, '<large1@forge.test>');
	});
});

async function assertWhole({ envelope }: Email): Promise<void> {
	const reading = await readMail(envelope, { evenIfLarge: true });
	assert.ok(reading.kind === 'read');
	assert.equal(reading.mail.text, `${text}\n`);
}
