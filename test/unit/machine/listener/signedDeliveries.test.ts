import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readForgeKey, isSignedBy, type ForgeKey } from '../../../../src/machine/listener/openListener.ts';
import {
	mostRemembered,
	rememberTexts,
	seenDeliveries,
	type KeptSeen,
} from '../../../../src/machine/listener/arrivalQueue.ts';
import type { Arrival } from '../../../../src/store/listening/openedListener.ts';
import { createSigner } from 'sample-forge/webhooks/webhookStore.ts';
import { eventually } from '../../../support/eventually.ts';
import { deliveryBytes, exchange, hookPath, makeSigner, sentBody, statusOf } from '../../../support/hookSender.ts';
import { openedListener } from '../../../support/openedListener.ts';
import { testInRest } from '../../../support/parts.ts';
import { usedMemory } from '../../../support/usedMemory.ts';

/** Key, nonce and signature recorded from real servers. */
const observed = {
	publicKey: 'TmBBOMbYgxoDXPZYquTlzwYitPTwxbfQMbBQAKZmfWg=',
	nonce: '66cac78895169531',
	signature: 'ZGgXgvtBalhlm/ERdTIZ7qwqFaS3fvJU5hlyx++tlJNrPg/hIitdoUaCgpq5as9IqA5ieeSDaI4SDA0EWB91BQ==',
	body: '{"id": 5, "created": "2026-11-20T07:16:16+00:00", "updated": "2026-11-20T07:16:16+00:00", "subject": "Add a module", "prefix": "proj", "version": 1, "status": "proposed", "submitter": "Ext Ernal <ext@outside.test>", "reply_to": null, "message_id": "<a7d93c010d54695dc6e480eb046bf0245d58699e.1795158969.git.carol@forge.test>"}',
};

function keyOf(publicKey: string): ForgeKey {
	const key = readForgeKey(publicKey);
	assert.ok(key);
	return key;
}

suite('delivery signatures', () => {
	const signer = makeSigner();
	const key = keyOf(signer.publicKey);
	const nonce = '0123456789abcdef';
	const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(300) }));
	const signature = signer.sign(body, nonce);

	test('accept a body that a real server signed', () => {
		assert.ok(isSignedBy(keyOf(observed.publicKey), Buffer.from(observed.body), observed));
	});

	test('accept a body that the sample forge signed', () => {
		const forge = createSigner();
		assert.ok(isSignedBy(keyOf(forge.publicKey), body, forge.sign(body.toString())));
	});

	test('reject one flipped bit at any of 1,000 places in body, nonce and signature', () => {
		assert.ok(isSignedBy(key, body, { nonce, signature }));
		const parts = [body, Buffer.from(nonce), Buffer.from(signature)] as const;
		const bits = parts.flatMap((bytes, part) =>
			Array.from({ length: bytes.byteLength * 8 }, (_, bit) => ({ part, bit })),
		);
		const step = bits.length / 1000;
		const places = Array.from({ length: 1000 }, (_, index) => bits[Math.floor(index * step)]!);
		assert.deepEqual(new Set(places.map(({ part }) => part)), new Set([0, 1, 2]));
		const believed = places.filter(({ part, bit }) => {
			const [ofBody, ofNonce, ofSignature] = parts.map((bytes) => Buffer.from(bytes));
			const changed = [ofBody, ofNonce, ofSignature][part]!;
			changed[bit >> 3] = changed[bit >> 3]! ^ (1 << (bit & 7));
			return isSignedBy(key, ofBody!, {
				nonce: ofNonce!.toString('latin1'),
				signature: ofSignature!.toString('latin1'),
			});
		});
		assert.deepEqual(believed, []);
	});

	test('reject bytes that move between body and nonce', () => {
		const text = 'abcdef0123456789';
		const moved = Buffer.from(text);
		const signature = signer.sign(moved, nonce);
		const signed = text + nonce;
		const splits = Array.from({ length: signed.length + 1 }, (_, at) => at).filter((at) => {
			const proof = { nonce: signed.slice(at), signature };
			return isSignedBy(key, Buffer.from(signed.slice(0, at)), proof);
		});
		assert.deepEqual(splits, [text.length]);
	});

	test('must be in canonical base64', () => {
		const others = [
			signature.replace(/=+$/, ''),
			`${signature} `,
			signature.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
			// The last letter before the padding has four unused bits.
			signature.replace(/.==$/, (end) => `${String.fromCharCode(end.charCodeAt(0) + 1)}==`),
		];
		assert.deepEqual(
			others.filter((other) => isSignedBy(key, body, { nonce, signature: other })),
			[],
		);
	});

	for (const [what, text] of [
		['nothing', ''],
		['31 bytes', Buffer.alloc(31, 1).toString('base64')],
		['33 bytes', Buffer.alloc(33, 1).toString('base64')],
		['hexadecimal digits', Buffer.alloc(32, 1).toString('hex')],
		['the form for addresses', Buffer.alloc(32, 255).toString('base64url')],
		['a block of PEM', '-----BEGIN PUBLIC KEY-----'],
	] as const) {
		test(`do not accept ${what} as a key`, () => {
			assert.equal(readForgeKey(text), undefined);
		});
	}

	test('accept a key with surrounding blanks', () => {
		assert.ok(readForgeKey(` ${signer.publicKey}\n`));
	});
});

suite('repeated deliveries', () => {
	const signer = makeSigner();

	test('with a key, the listener refuses a repeated nonce but accepts a repeated id', async () => {
		using opened = await openedListener({ publicKey: signer.publicKey });
		const { host, port } = opened;
		const [first, again] = [
			{ id: 'a', nonce: '0'.repeat(16) },
			{ id: 'a', nonce: '1'.repeat(16) },
		].map((each) => deliveryBytes({ host, signer, ...each }));
		const statuses = [];
		for (const bytes of [first!, first!, again!, again!]) {
			statuses.push(statusOf(await exchange(port, bytes)));
		}
		assert.deepEqual([statuses, opened.refused('replayed')], [[204, 404, 204, 404], 2]);
		await eventually(() => Promise.resolve(opened.deliveries().map(({ id }) => id)), ['a', 'a']);
	});

	test('only a valid signature uses up its nonce', async () => {
		using opened = await openedListener({ publicKey: signer.publicKey });
		const { host, port } = opened;
		const nonce = '2'.repeat(16);
		const forged = await exchange(port, deliveryBytes({ host, signer: makeSigner(), nonce }));
		const good = await exchange(port, deliveryBytes({ host, signer, nonce }));
		assert.deepEqual([statusOf(forged), statusOf(good)], [404, 204]);
	});

	test('two deliveries cannot swap their nonces', async () => {
		using opened = await openedListener({ publicKey: signer.publicKey });
		const { host, port } = opened;
		const [one, other] = ['3'.repeat(16), '4'.repeat(16)];
		const swapped = [
			deliveryBytes({ host, signer, nonce: one, headers: { 'X-Payload-Nonce': other } }),
			deliveryBytes({ host, signer, nonce: other, headers: { 'X-Payload-Nonce': one } }),
		];
		for (const bytes of swapped) {
			assert.equal(statusOf(await exchange(port, bytes)), 404);
		}
		assert.deepEqual([opened.refused('forged'), opened.forged, opened.arrivals], [2, [hookPath, hookPath], []]);
	});

	test('with a key, the listener refuses unsigned deliveries', async () => {
		using opened = await openedListener({ publicKey: signer.publicKey });
		const { host, port } = opened;
		const bare: Readonly<Record<string, string | undefined>>[] = [
			{},
			{ 'X-Payload-Nonce': '6'.repeat(16) },
			{ 'X-Payload-Signature': 'A'.repeat(86) + '==' },
			{ 'X-Webhook-Event': undefined, 'X-Webhook-Delivery': undefined },
		];
		for (const headers of bare) {
			assert.equal(statusOf(await exchange(port, deliveryBytes({ host, headers }))), 404);
		}
		assert.deepEqual(
			[opened.refused('forged'), opened.refused('headers'), opened.forged, opened.arrivals],
			[bare.length, 0, bare.map(() => hookPath), []],
		);
	});

	test('a signature does not replace any other header', async () => {
		using opened = await openedListener({ publicKey: signer.publicKey });
		const { host, port } = opened;
		for (const name of ['X-Webhook-Event', 'X-Webhook-Delivery']) {
			const bytes = deliveryBytes({ host, signer, headers: { [name]: undefined } });
			assert.equal(statusOf(await exchange(port, bytes)), 404);
		}
		assert.deepEqual([opened.refused('headers'), opened.forged, opened.arrivals], [2, [], []]);
	});

	test('each forge has its own key, and a hook without a key needs no signature', async () => {
		const other = makeSigner();
		const paths = { first: hookPath, second: `/${'s'.repeat(43)}`, bare: `/${'b'.repeat(43)}` };
		const keys = new Map([
			[paths.first, signer.publicKey],
			[paths.second, other.publicKey],
			[paths.bare, undefined],
		]);
		using opened = await openedListener({
			hookAt: (path) => (keys.has(path) ? { publicKey: keys.get(path) } : undefined),
		});
		const { host, port } = opened;
		const send = async (path: string, by?: typeof signer): Promise<number> =>
			statusOf(await exchange(port, deliveryBytes({ host, path, ...(by === undefined ? {} : { signer: by }) })));
		assert.deepEqual(
			[await send(paths.first, signer), await send(paths.second, other), await send(paths.bare)],
			[204, 204, 204],
		);
		assert.deepEqual([await send(paths.first, other), await send(paths.second, signer)], [404, 404]);
		await eventually(
			() => Promise.resolve(opened.deliveries().map(({ path }) => path)),
			[paths.first, paths.second, paths.bare],
		);
		assert.equal(opened.refused('forged'), 2);
	});

	test('without a key, the listener answers a repeated id but drops the delivery', async () => {
		using opened = await openedListener();
		const { host, port } = opened;
		for (const id of ['a', 'a', 'b']) {
			assert.equal(statusOf(await exchange(port, deliveryBytes({ host, id }))), 204);
		}
		await eventually(() => Promise.resolve(opened.deliveries().map(({ id }) => id)), ['a', 'b']);
	});

	test('the same id at another path counts as another delivery', async () => {
		const other = `/${'o'.repeat(43)}`;
		using opened = await openedListener({ hookAt: () => ({ publicKey: undefined }) });
		const { host, port } = opened;
		for (const path of [hookPath, other, hookPath, other]) {
			assert.equal(statusOf(await exchange(port, deliveryBytes({ host, path, id: 'shared' }))), 204);
		}
		await eventually(() => Promise.resolve(opened.deliveries().map(({ path }) => path)), [hookPath, other]);
	});

	test('the listener remembers seen deliveries across a restart', async () => {
		const nonce = '5'.repeat(16);
		const kept: string[] = ['half a li', '', 'x 1'];
		const seen: KeptSeen = { read: () => [...kept], add: (text) => void kept.push(text) };
		using before = await openedListener({ publicKey: signer.publicKey, seen });
		await exchange(before.port, deliveryBytes({ host: before.host, signer, nonce, id: 'a' }));
		await exchange(before.port, deliveryBytes({ host: before.host, signer, nonce, id: 'a' }));
		const told = kept.slice(3).map((text) => text.replace(/ [\w-]{16}$/, ' short'));
		assert.deepEqual(told, ['n short', 'd short']);
		assert.ok(!kept.join('\n').includes(hookPath));
		using after = await openedListener({ publicKey: signer.publicKey, seen });
		const replay = await exchange(after.port, deliveryBytes({ host: after.host, signer, nonce, id: 'b' }));
		assert.deepEqual([statusOf(replay), after.refused('replayed')], [404, 1]);
		using open = await openedListener({ seen });
		await exchange(open.port, deliveryBytes({ host: open.host, id: 'a' }));
		await exchange(open.port, deliveryBytes({ host: open.host, id: 'c' }));
		await eventually(() => Promise.resolve(open.deliveries().map(({ id }) => id)), ['c']);
	});

	test('the next listener accepts a delivery that was answered but not passed on, once', async () => {
		const kept: string[] = [];
		const seen: KeptSeen = { read: () => [...kept], add: (text) => void kept.push(text) };
		const all = ['a', 'b', 'c'].map((id, count) => ({ id, nonce: String(count).repeat(16) }));
		const began: string[] = [];
		const received = (arrival: Arrival): Promise<void> | undefined => {
			began.push(arrival.kind === 'delivery' ? arrival.delivery.id : 'many');
			return began.length === 2 ? new Promise(() => undefined) : undefined;
		};
		using before = await openedListener({ publicKey: signer.publicKey, seen, received });
		for (const each of all) {
			assert.equal(statusOf(await exchange(before.port, deliveryBytes({ host: before.host, signer, ...each }))), 204);
		}
		await eventually(() => Promise.resolve([began, kept.length]), [['a', 'b'], 2]);
		before.listener.dispose();
		using after = await openedListener({ publicKey: signer.publicKey, seen });
		for (const each of [...all, ...all]) {
			await exchange(after.port, deliveryBytes({ host: after.host, signer, ...each }));
		}
		await eventually(() => Promise.resolve(after.deliveries().map(({ id }) => id)), ['b', 'c']);
		assert.equal(after.refused('replayed'), 4);
	});

	test('the listener stores merged deliveries as seen after it passes them on', async () => {
		const kept: string[] = [];
		const first = Promise.withResolvers<void>();
		using opened = await openedListener({
			publicKey: signer.publicKey,
			limits: { waiting: 0 },
			seen: { read: () => [], add: (text) => void kept.push(text) },
			received: () => first.promise,
		});
		for (const id of ['a', 'b']) {
			await exchange(opened.port, deliveryBytes({ host: opened.host, signer, id }));
		}
		assert.deepEqual(kept, []);
		first.resolve();
		await eventually(() => Promise.resolve(kept.length), 4);
	});

	test('the listener reads stored deliveries only if it gets the port', async () => {
		let reads = 0;
		const seen: KeptSeen = { read: () => ((reads += 1), []), add: () => undefined };
		using before = await openedListener();
		await assert.rejects(openedListener({ port: before.port, seen }));
		assert.equal(reads, 0);
		using after = await openedListener({ seen });
		assert.deepEqual([reads, after.arrivals], [1, []]);
	});

	test('the listener remembers the newest 10,000 deliveries, and a repeat renews an entry', () => {
		const texts = rememberTexts(mostRemembered);
		for (let count = 0; count < mostRemembered; count += 1) {
			assert.equal(texts.seenBefore(String(count)), false);
		}
		assert.equal(texts.seenBefore('0'), true);
		assert.equal(texts.seenBefore('one more'), false);
		assert.deepEqual([texts.seenBefore('0'), texts.seenBefore('2'), texts.seenBefore('1')], [true, true, false]);
	});

	testInRest('10,000 remembered deliveries take less than 100 bytes each', () => {
		const seen = seenDeliveries({ read: () => [], add: () => undefined }, mostRemembered);
		const before = usedMemory();
		for (let count = 0; count < mostRemembered; count += 1) {
			seen.isIdSeen(`id ${count}`, '/path');
		}
		const each = (usedMemory() - before) / mostRemembered;
		assert.ok(each < 100, `${Math.round(each)} bytes`);
		assert.equal(seen.isIdSeen('id 0', '/path'), true);
	});

	test('recall() keeps the newest entries if there are too many', () => {
		const nonces = ['a', 'b', 'c'].map((text) => `n ${text}`);
		const seen = seenDeliveries({ read: () => nonces, add: () => undefined }, 2);
		seen.recall();
		assert.deepEqual(
			['c', 'b', 'a'].map((nonce) => seen.isNonceSeen(nonce)),
			[true, true, false],
		);
	});

	test('the listener accepts a signed body of random bytes', async () => {
		using opened = await openedListener({ publicKey: signer.publicKey });
		const body = randomBytes(5000);
		const bytes = deliveryBytes({ host: opened.host, signer, body });
		assert.equal(statusOf(await exchange(opened.port, bytes)), 204);
		await eventually(() => Promise.resolve(opened.deliveries().map(({ body: came }) => Buffer.from(came))), [body]);
		assert.ok(sentBody.byteLength > 0);
	});
});
