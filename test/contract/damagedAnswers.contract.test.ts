import assert from 'node:assert/strict';
import type { Forge } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { graphqlForge } from 'sourcehut/graphql/graphqlForge.ts';
import { HttpFailure, type HttpAnswer, type HttpClient, type HttpRequest } from 'sourcehut/http/httpClient.ts';
import { undiciClient } from 'sourcehut/http/undiciClient.ts';
import { restForge } from 'sourcehut/rest/restForge.ts';
import { directTransport, protocolSuite, systemClock, type ContractForge } from '../support/contractForge.ts';
import { counts, seed } from '../support/counts.ts';
import { limitMs } from '../support/pace.ts';
import { allReadings, type Reading } from './support/portCalls.ts';
import { randomFrom } from '../support/randomFrom.ts';
import { fieldsOf, type Dialect } from '../support/sampleForge.ts';
import { standFor } from '../support/standFor.ts';

type Send = HttpClient['send'];

function clientOf({ instance, sample }: ContractForge, dialect: Dialect, send: Send): Forge {
	const http = standFor<HttpClient>({ send, beginWalk: () => ({ dispose: () => undefined }) });
	const options = { instance, me: '~alice', tokenFor: () => sample.tokens.alice, http, clock: systemClock };
	const rest = restForge(options);
	return dialect === 'graphql' ? { ...rest, ...graphqlForge(options) } : rest;
}

function keyOf({ method, origin, path, body }: HttpRequest): string {
	return `${method} ${origin}${path} ${body?.text ?? ''}`;
}

/** Values that a broken or hostile server may put anywhere in a response. */
const oddities: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	0.5,
	2 ** 31,
	2 ** 53,
	-(2 ** 63),
	1e300,
	'',
	' ',
	'~',
	'~alice/..',
	'../../etc',
	'\u0000',
	'\ud800',
	'x'.repeat(100_000),
	'2026-99-99T99:99:99Z',
	'-271821-04-20T00:00:00Z',
	[],
	{},
	[[]],
	[null],
	{ results: null },
	{ cursor: 7, results: [{}] },
	JSON.parse('{"__proto__":{"polluted":true},"constructor":null,"length":-1}'),
];

type Random = () => number;

function pick<T>(random: Random, all: readonly T[]): T | undefined {
	return all[Math.floor(random() * all.length)];
}

interface Damage {
	readonly value: unknown;
	/** The damage done, with its path. */
	readonly told: string;
}

/** The response with one value replaced, removed or duplicated. */
function damaged(random: Random, value: unknown, path = ''): Damage {
	const isHere = random() < 0.1;
	const inside = isHere || typeof value !== 'object' || value === null ? undefined : damagedInside(random, value, path);
	if (inside) {
		return inside;
	}
	const odd = pick(random, oddities);
	return { value: odd, told: `${path} is ${JSON.stringify(odd)?.slice(0, 60)}` };
}

function damagedInside(random: Random, value: object, path: string): Damage | undefined {
	const name = pick(random, Object.keys(value));
	if (name === undefined) {
		return undefined;
	}
	const { [name]: old, ...others } = fieldsOf(value);
	const inside = damaged(random, old, `${path}.${name}`);
	const isOther = random() < 0.1;
	if (Array.isArray(value)) {
		const all: readonly unknown[] = value;
		return isOther
			? { value: [...all, old], told: `${path}.${name} twice` }
			: { ...inside, value: all.with(Number(name), inside.value) };
	}
	return isOther
		? { value: others, told: `${path}.${name} is missing` }
		: { ...inside, value: { ...others, [name]: inside.value } };
}

function withBody(answer: HttpAnswer, text: string): HttpAnswer {
	return { ...answer, body: new TextEncoder().encode(text) };
}

function textOf({ body }: HttpAnswer): string {
	return new TextDecoder().decode(body);
}

/** Numbers outside the safe or sensible range. */
function oddNumbers(value: unknown, path = ''): readonly string[] {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? [] : [path];
	}
	return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
		? Object.entries(value).flatMap(([name, inside]) => oddNumbers(inside, `${path}.${name}`))
		: [];
}

protocolSuite('damaged responses', {}, ({ dialect, forge }) => {
	/** The recorded response of each request. */
	const played = new Map<string, HttpAnswer>();
	const askedBy = new Map<string, readonly string[]>();
	let all: readonly Reading[] = [];

	suiteSetup(async () => {
		await forge().sample.reset();
		// Byte streams have no fields to damage.
		const streams = ['an archive', 'a file in pieces'];
		all = (await allReadings(forge().as('alice'))).filter(({ name }) => !streams.includes(name));
		const http = undiciClient({ transport: directTransport, clock: systemClock, random: Math.random });
		for (const { name, read } of all) {
			const keys: string[] = [];
			const client = clientOf(forge(), dialect, async (request) => {
				const answer = await http.send(request);
				keys.push(keyOf(request));
				played.set(keyOf(request), answer);
				return answer;
			});
			await read(client)?.catch((error: unknown) => assert.ok(isForgeError(error), name));
			askedBy.set(name, keys);
		}
		await http.close();
	});

	test('are read or rejected as not understood, and never crash the client', async function () {
		this.timeout(limitMs(600_000));
		const random = randomFrom(seed());
		const outcomes = { read: 0, refused: 0 };
		for (let round = 0; round < counts({ small: 300, full: 10_000 }); round += 1) {
			const reading = pick(random, all);
			assert.ok(reading);
			const key = pick(random, askedBy.get(reading.name) ?? []);
			const answer = key === undefined ? undefined : played.get(key);
			if (answer === undefined || !/json/.test(answer.contentType)) {
				continue;
			}
			const { value, told } = damaged(random, JSON.parse(textOf(answer)));
			const text = JSON.stringify(value) ?? 'null';
			const client = clientOf(forge(), dialect, async (request) => {
				const mine = keyOf(request) === key ? withBody(answer, text) : played.get(keyOf(request));
				if (mine === undefined) {
					throw new HttpFailure({ kind: 'unreachable', reason: 'refused', host: 'nobody' });
				}
				return mine;
			});
			try {
				const found = await reading.read(client);
				assert.deepEqual(oddNumbers(found), []);
				outcomes.read += 1;
			} catch (error) {
				assert.ok(isForgeError(error), `${reading.name} in round ${round}, where ${told}: ${String(error)}`);
				outcomes.refused += 1;
			}
		}
		assert.equal(Reflect.get({}, 'polluted'), undefined);
		assert.ok(outcomes.read > 0 && outcomes.refused > 0);
	});
});
