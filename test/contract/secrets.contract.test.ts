import '../support/vscodeStub.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import { fake } from '../support/fake.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { accountNet } from '../../src/app/accounts/accountNet.ts';
import { readReadyLine } from '../../src/editor/accounts/sampleSource.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Log } from '../../src/base/log.ts';
import { SessionStore } from '../../src/editor/accounts/sessionStore.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { readScopes } from 'sourcehut/port/scope.ts';
import { signInThroughBrowser } from 'sourcehut/identity/browserSignIn.ts';
import { scopeUnion } from 'sourcehut/identity/scopeUnion.ts';
import { Token } from 'sourcehut/identity/token.ts';
import { checkToken } from 'sourcehut/identity/tokenCheck.ts';
import {
	allItems,
	changed,
	contractSuite,
	protocolSuite,
	directTransport,
	firstPage,
	systemClock,
	wanted,
} from '../support/contractForge.ts';
import { openNet } from 'sourcehut/net.ts';
import type { Net } from 'sourcehut/net.ts';
import { consentBrowser } from './support/consentBrowser.ts';
import { knownProtocols } from '../support/knownProtocols.ts';
import { fakeSecrets } from '../support/fakeSecrets.ts';
import { startLocalServer } from '../support/localServer.ts';
import { makeInstance, makeSession } from '../support/makeSession.ts';
import { testInRest } from '../support/parts.ts';
import { startRelay } from '../support/relay.ts';
import type { SampleFault } from '../support/sampleForge.ts';
import { resetStub, stubbed } from '../support/vscodeValues.ts';
import { contentAreas } from 'sourcehut/port/instance.ts';
import { restProtocol } from 'sourcehut/rest/restProtocol.ts';

const { problems } = await import('../../src/editor/ask/problems.ts');

const lantern = { owner: '~alice', name: 'lantern' };
const ticket = { tracker: lantern, id: 9 };
const list = { owner: '~alice', name: 'lantern-devel' };

/** Every lasting fault kind that hits all requests; add new kinds here. */
const faults: Readonly<Record<Exclude<SampleFault['kind'], 'hang' | 'twice' | 'failedField'>, readonly SampleFault[]>> =
	{
		status: [400, 401, 403, 404, 405, 407, 418, 429, 500, 502, 503].map((status) => ({ kind: 'status', status })),
		delay: [{ kind: 'delay', ms: 5 }],
		reset: (['headers', 'applied', 'middle', 'end'] as const).map((at) => ({ kind: 'reset', at })),
		truncate: [{ kind: 'truncate' }],
		drip: [{ kind: 'drip', bytes: 5000, everyMs: 1 }],
		noDatabase: [{ kind: 'noDatabase' }],
		contentType: [{ kind: 'contentType' }],
		huge: [
			{ kind: 'huge', megabytes: 26 },
			{ kind: 'huge', megabytes: 26, gzip: true },
		],
		redirect: [{ kind: 'redirect', to: 'https://elsewhere.test/?a=b' }],
	};

/** Calls with a token, one of each kind. */
const works: readonly (readonly [about: string, work: (forge: Forge, signal: AbortSignal) => Promise<unknown>])[] = [
	['a read', ({ trackers }, signal) => trackers.ticket(ticket, signal)],
	['a listing', ({ lists }, signal) => firstPage(lists.posts(list, signal))],
	['a write', ({ trackers }, signal) => changed(trackers.updateTicket(ticket, { comment: 'Still there?' }, signal))],
	['a creation', ({ trackers }, signal) => trackers.create({ name: 'lantern' }, signal)],
	['a file', ({ repositories }, signal) => repositories.blob(lantern, { ref: 'master', path: 'README.md' }, signal)],
	['who one is', ({ users }, signal) => users.user('git', undefined, signal)],
];

/** Collects everything a user could see, and asserts that it contains no secret. */
interface Watch {
	readonly log: Log;
	/** Any thrown or stored value, inspected deeply. */
	readonly see: (value: unknown) => void;
	/** Passes an error through all layers to the user. */
	readonly fail: (error: unknown) => Promise<void>;
	assertSilent(secrets: readonly string[]): void;
	readonly size: () => number;
}

function watch(): Watch {
	const seen: string[] = [];
	const write = (message: string): void => void seen.push(message);
	const log: Log = { info: write, warn: write, error: write };
	const told = problems(log, () => undefined, fake<Clock>({ nowMs: () => 0 }));
	const see = (value: unknown): void => {
		seen.push(inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null }));
		seen.push(inspect(value, { depth: 20, customInspect: false, getters: true, maxStringLength: null }));
		seen.push(`${String(value)} ${JSON.stringify(value)}`);
	};
	return {
		log,
		see,
		async fail(error) {
			see(error);
			for (let at = error; at instanceof Error; at = at.cause) {
				see([Object.entries(at), at.message, at.stack]);
			}
			told.log(error);
			seen.push(JSON.stringify(told.explain(error)));
			await told.show(error);
		},
		assertSilent(secrets) {
			const text = [...seen, ...stubbed.shown].join('\n').toLowerCase();
			for (const form of secrets.flatMap(formsOf)) {
				const at = text.indexOf(form.toLowerCase());
				assert.equal(at, -1, `a secret shows: …${text.slice(Math.max(0, at - 200), at + 100)}`);
			}
		},
		size: () => seen.length,
	};
}

/** The secret, its halves, and its encodings. */
function formsOf(secret: string): readonly string[] {
	assert.ok(secret.length >= 16, 'too short to be told from chance');
	const half = secret.length >> 1;
	const shifted = ['', 'x', 'xx'].map((before) =>
		Buffer.from(before + secret)
			.toString('base64')
			.slice(4, -4),
	);
	return [secret.slice(0, half), secret.slice(half), ...shifted, Buffer.from(secret).toString('hex')];
}

/** REST sign-in flows; for a client with a secret see `secretSignIn.test.ts`. */
contractSuite('sign-in secrets', {}, ({ dialect, forge }) => {
	setup(resetStub);

	test('appear in no shown, logged or thrown value and in no request', async () => {
		const { sample, net } = forge();
		const eyes = watch();
		const running = readReadyLine(JSON.stringify({ ready: true, ...sample, process: undefined }));
		assert.ok(running);
		const { instance, clientSecret } = running;
		let code = '';
		const grant = await signInThroughBrowser(
			{
				instance,
				protocol: restProtocol(instance),
				scopes: scopeUnion(readScopes, ['tickets:write', 'trackers:write']),
				clientSecret: async () => clientSecret,
				http: accountNet(async () => net, knownProtocols).identity(instance),
				ways: {
					reachable: async (address) => address,
					async open(address) {
						const { address: ended } = await consentBrowser().consent(address);
						const query = new URL(ended).searchParams;
						code = query.get('exchange') ?? query.get('code') ?? '';
					},
					async waitForPaste(_check, _why, signal) {
						signal.throwIfAborted();
					},
					pages: {
						title: 'Forge Desk',
						goBack: 'Go back.',
						notExpected: 'Not expected.',
						perhapsRefused: 'Perhaps refused.',
						language: 'en',
					},
				},
				clock: systemClock,
				random: randomBytes,
			},
			wanted(),
		);
		const token = grant.token.reveal();
		const secrets = [token, ...(clientSecret === undefined ? [] : [clientSecret.reveal()])];
		const sessions = new SessionStore(fakeSecrets(), eyes.log);
		const session = makeSession({ instanceId: instance.id, origins: instance.areas });
		await sessions.put({ ...session, ...grant });
		sessions.onDidChange((change) => eyes.see(change));
		eyes.see([grant, sessions.current(), sessions, sample.client.id]);
		await sample.forgetRequests();
		const client = net.connectForge({ instance, me: '~alice', tokenFor: () => token });
		await client.trackers.ticket(ticket, wanted());
		await changed(client.trackers.updateTicket(ticket, { comment: 'Said with care' }, wanted()));
		const asking = { areas: contentAreas, whoAmI: accountNet(async () => net, knownProtocols).whoAmI(instance) };
		eyes.see(await checkToken(grant.token, asking, wanted()));
		eyes.see(await sample.requests());
		await sample.act('/meta/revoke', { token });
		await checkToken(grant.token, asking, wanted()).then(
			() => assert.equal(dialect, 'field', 'a revoked token passed'),
			async (error: unknown) => await eyes.fail(error),
		);
		await sessions.remove(session.id);
		eyes.see(sessions.current());
		sessions.dispose();
		assert.ok(code !== '', 'the browser came back without a code');
		eyes.assertSilent([...secrets, code].filter(({ length }) => length >= 16));
	});
});

protocolSuite('secrets', {}, ({ forge }) => {
	setup(resetStub);

	teardown(async () => {
		await forge().sample.clearFaults();
	});

	test('do not leak from successful reads and writes', async () => {
		const { sample } = forge();
		const eyes = watch();
		const client = forge().as('alice');
		await sample.forgetRequests();
		for (const [about, work] of works.filter(([about]) => about !== 'a creation')) {
			eyes.see([about, await work(client, wanted())]);
		}
		eyes.see([client, await allItems(client.trackers.labels(lantern, wanted()))]);
		const requests = await sample.requests();
		assert.ok(requests.every(({ hasToken }) => hasToken));
		eyes.see(requests);
		eyes.assertSilent([sample.tokens.alice]);
	});

	for (const [fault, at] of Object.values(faults).flatMap((kind) => kind.map((fault, at) => [fault, at] as const))) {
		const isFirst = fault.kind === 'status' ? [401, 429, 502].includes(fault.status) : at === 0;
		const testFault = isFirst ? test : testInRest;
		testFault(`do not leak from ${JSON.stringify(fault)}`, async () => {
			const { sample, net, instance } = forge();
			const eyes = watch();
			const client = forge().as('alice');
			let failures = 0;
			const failing = async (work: Promise<unknown>): Promise<void> => {
				await work.then(eyes.see, async (error: unknown) => {
					failures += 1;
					assert.ok(isForgeError(error), `no ForgeError: ${inspect(error)}`);
					await eyes.fail(error);
				});
			};
			await sample.fault({}, fault, 10_000);
			const token = sample.tokens.alice;
			const profile = { instance, area: 'meta', method: 'GET', path: '/api/user/profile', token } as const;
			await Promise.all([
				...works.map(async ([, work]) => await failing(work(client, wanted()))),
				failing(net.request({ ...profile, signal: wanted() })),
			]);
			assert.ok(fault.kind === 'delay' || fault.kind === 'drip' || failures >= 5, String(failures));
			assert.ok(eyes.size() >= 4 * works.length);
			eyes.assertSilent([token]);
		});
	}

	test('do not leak from an aborted call', async () => {
		const { sample, net, instance } = forge();
		const eyes = watch();
		for (const [, work] of works) {
			await sample.fault({}, { kind: 'hang' });
			const [todo, git, lists] = await Promise.all([
				startRelay(sample.areas.todo),
				startRelay(sample.areas.git),
				startRelay(sample.areas.lists),
			]);
			const relays = [todo, git, lists];
			try {
				const through = { ...instance.areas, todo: todo.origin, git: git.origin, lists: lists.origin };
				const tokenFor = (): string => sample.tokens.alice;
				const client = net.connectForge({ instance: { ...instance, areas: through }, me: '~alice', tokenFor });
				const reader = new AbortController();
				const failed = work(client, reader.signal).catch((error: unknown) => error);
				await Promise.race(relays.map(({ asked }) => asked));
				reader.abort();
				const error = await failed;
				assert.ok(isAbort(error));
				await eyes.fail(error);
			} finally {
				await Promise.all(relays.map(async (relay) => await relay.stop()));
			}
		}
		eyes.assertSilent([sample.tokens.alice]);
	});
});

/** Responses of a server that echoes the request in every place. */
const echoes: Readonly<Record<string, (said: string, response: ServerResponse) => unknown>> = {
	'reasons of a 400': (said, response) => refuse(response, 400, { reason: `Bad ${said}` }),
	'fields of a 400': (said, response) => refuse(response, 400, { field: said, reason: 'is wrong' }),
	'marked-up reasons of a 400': (said, response) =>
		refuse(response, 400, { reason: `${said.slice(0, 20)}<b></b>${said.slice(20)}` }),
	'a long reason of a 400': (said, response) => refuse(response, 400, { reason: `${'x'.repeat(470)}${said}` }),
	'capitals of a 400': (said, response) => refuse(response, 400, { reason: said.toUpperCase() }),
	'reasons of a 401': (said, response) => refuse(response, 401, { reason: `Invalid token ${said}` }),
	'scopes of a 403': (said, response) => refuse(response, 403, { reason: `no (needs ${said.slice(7)}/x:read)` }),
	'reasons of a 422': (said, response) => refuse(response, 422, { reason: said }),
	'the target of a redirect': (said, response) =>
		response.writeHead(302, { Location: `https://${said.slice(7)}.test/?t=${said}` }).end(),
	'a page': (said, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<p>${said}</p>`),
	'the type of an answer': (said, response) => response.writeHead(200, { 'Content-Type': said }).end(said),
	'data of the wrong shape': (said, response) => json(response, 200, { [said]: said, results: [{ [said]: said }] }),
	'a text that is no data': (said, response) => json(response, 200, said),
	'a crash': (said, response) => response.writeHead(500, said, { 'Content-Type': 'text/plain' }).end(said),
};

function json(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, error: object): void {
	json(response, status, { errors: [error] });
}

suite('a server that echoes the token', () => {
	const token = randomBytes(16).toString('hex');
	let net: Net;

	setup(() => {
		resetStub();
		net = openNet({ transport: directTransport, clock: systemClock, random: () => 0 });
	});

	teardown(async () => {
		await net.close();
	});

	/** Runs all calls against a separate server; each has to fail. */
	async function meet(origin: string): Promise<Watch> {
		const eyes = watch();
		const elsewhere = makeInstance({ areas: { meta: origin, todo: origin, git: origin, lists: origin } });
		const client = net.connectForge({ instance: elsewhere, me: '~alice', tokenFor: () => token });
		for (const [about, work] of works.filter(([about]) => about !== 'a file')) {
			const error: unknown = await work(client, wanted()).then(
				() => assert.fail(`${about} went well`),
				(reason: unknown) => reason,
			);
			assert.ok(isForgeError(error), inspect(error));
			await eyes.fail(error);
		}
		const request = { instance: elsewhere, area: 'meta', method: 'GET', path: '/api/user/profile', token } as const;
		await net.request({ ...request, signal: wanted() }).catch(eyes.fail);
		const secret = new Token(token);
		const asking = { areas: contentAreas, whoAmI: accountNet(async () => net, knownProtocols).whoAmI(elsewhere) };
		await checkToken(secret, asking, wanted()).catch(eyes.fail);
		return eyes;
	}

	for (const [place, echo] of Object.entries(echoes)) {
		test(`in ${place} does not leak it to the user`, async () => {
			const server = await startLocalServer((request: IncomingMessage, response) => {
				request.resume();
				request.on('end', () => echo(request.headers.authorization ?? 'nobody', response));
			});
			try {
				const eyes = await meet(server.origin);
				assert.ok(server.seen.length >= 5);
				eyes.assertSilent([token]);
			} finally {
				await server.stop();
			}
		});
	}

	test('in bytes that are not HTTP does not leak it to the user', async () => {
		const server = createServer((socket) => {
			socket.on('error', () => undefined);
			socket.once('data', (bytes) => socket.end(bytes));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		const address: AddressInfo | string | null = server.address();
		assert.ok(typeof address === 'object' && address !== null);
		try {
			(await meet(`http://127.0.0.1:${address.port}`)).assertSilent([token]);
		} finally {
			const closed = once(server, 'close');
			server.close();
			await closed;
		}
	});

	test('the check detects a leaked secret', () => {
		for (const shown of [token, `Bearer ${token}`, token.slice(16), Buffer.from(`a:${token}`).toString('base64')]) {
			const eyes = watch();
			eyes.see(new Error('outer', { cause: new Error(`inner ${shown}`) }));
			assert.throws(() => eyes.assertSilent([token]), /a secret shows/);
		}
	});
});
