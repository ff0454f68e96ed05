import { everywhere } from '../../src/port/instance.ts';
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { ForgeError, isForgeError } from '../../src/port/forgeError.ts';
import type { Problem } from '../../src/port/forgeError.ts';
import { asksForVisibility, type Tracker } from '../../src/port/tracker.ts';
import type { WantedVisibility } from '../../src/port/visibility.ts';
import { openNet } from '../../src/net.ts';
import { directTransport, systemClock } from '../../../../test/support/contractForge.ts';
import { startLocalServer } from '../../../../test/support/localServer.ts';

interface Reply {
	readonly status: number;
	readonly json: object;
}

interface Created {
	readonly tracker: Tracker | undefined;
	readonly problem: Problem | undefined;
	/** Method, path and body of each request. */
	readonly sent: readonly (readonly [string, unknown])[];
}

const user = { canonical_name: '~alice', name: 'alice' };
const made: Reply = {
	status: 201,
	json: {
		name: 'fresh',
		owner: user,
		created: '2026-11-20T10:00:00Z',
		updated: '2026-11-20T10:00:00Z',
		visibility: 'PUBLIC',
		default_access: ['browse'],
	},
};
const refusal = (reason: string, field?: string, status = 400): Reply => ({
	status,
	json: { errors: [{ reason, ...(field === undefined ? {} : { field }) }] },
});

/** Creates a tracker at a server with these replies in order; the last one repeats. */
async function create(
	replies: readonly Reply[],
	description?: string,
	visibility?: WantedVisibility,
): Promise<Created> {
	const sent: (readonly [string, unknown])[] = [];
	const server = await startLocalServer((request, response) => {
		void readBody(request).then((body) => {
			sent.push([`${request.method} ${request.url}`, body]);
			const { status, json } = replies[sent.length - 1] ?? replies.at(-1) ?? made;
			response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
		});
	});
	const net = openNet({ transport: directTransport, clock: systemClock, random: () => 0 });
	const areas = { meta: server.origin, todo: server.origin, git: server.origin, lists: server.origin };
	const instance = {
		id: 'later',
		name: 'Later forge',
		areas,
		protocols: everywhere('rest'),
		signIn: { kind: 'tokenOnly' },
		scopeSpelling: { prefixes: { todo: '', git: '', lists: '' }, names: {} },
		webhookKey: undefined,
		isSample: false,
	} as const;
	const { trackers } = net.connectForge({ instance, me: '~alice', tokenFor: () => 'a'.repeat(32) });
	const draft = {
		name: 'fresh',
		...(description === undefined ? {} : { description }),
		...(visibility === undefined ? {} : { visibility }),
	};
	try {
		const tracker = await trackers.create(draft, new AbortController().signal);
		return { tracker, problem: undefined, sent };
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		return { tracker: undefined, problem: error.problem, sent };
	} finally {
		await net.close();
		await server.stop();
	}
}

async function readBody(request: IncomingMessage): Promise<unknown> {
	let text = '';
	for await (const chunk of request.setEncoding('utf8')) {
		text += String(chunk);
	}
	const body: unknown = JSON.parse(text);
	return body;
}

const post = 'POST /api/trackers';
const plain = [post, { name: 'fresh', description: 'words' }];

suite('tracker creation', () => {
	test('omits the visibility unless the server requires it', async () => {
		const { tracker, sent } = await create([made], 'words');
		assert.deepEqual(sent, [plain]);
		assert.equal(tracker?.visibility, 'PUBLIC');
	});

	for (const [where, reply] of [
		['as the field', refusal('This field is required.', 'visibility')],
		['in the reason', refusal('Visibility is required')],
		['beside other complaints', { status: 400, json: { errors: [{ reason: 'x' }, { reason: 'visibility?' }] } }],
	] as const) {
		test(`stops when the server requires a visibility ${where}, so that the user can choose`, async () => {
			const { problem, sent } = await create([reply, made], 'words');
			assert.deepEqual(sent, [plain]);
			assert.ok(problem && asksForVisibility(new ForgeError(problem)));
		});
	}

	test('sends the chosen visibility', async () => {
		const { sent } = await create([made], 'words', 'unlisted');
		assert.deepEqual(sent, [[post, { name: 'fresh', description: 'words', visibility: 'UNLISTED' }]]);
	});

	for (const [about, reply, kind] of [
		['another field', refusal('is taken', 'name'), 'invalid'],
		['no field', refusal('Bad request'), 'invalid'],
		['nothing', { status: 400, json: {} }, 'invalid'],
		['the token', refusal('Invalid or expired OAuth token'), 'tokenRejected'],
		['visibility, but as forbidden', refusal('visibility', 'visibility', 403), 'notAllowed'],
		['visibility, but in a crash', refusal('visibility', 'visibility', 500), 'serverError'],
		['visibility, but as too many requests', refusal('visibility', 'visibility', 429), 'rateLimited'],
	] as const) {
		test(`stops without a choice of visibility when the server names ${about}`, async () => {
			const { problem, sent } = await create([reply, made], 'words');
			assert.deepEqual(sent, [plain]);
			assert.equal(problem?.kind, kind);
			assert.ok(problem && !asksForVisibility(new ForgeError(problem)));
		});
	}
});
