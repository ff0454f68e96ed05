import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import { pushAddress } from './pushToForge.ts';
import { fieldsOf, partOf } from './sampleForge.ts';
import type { SampleForge } from './sampleForge.ts';

/** Context of event causes: a forge, and a working directory. */
export interface EventWorld {
	readonly sample: SampleForge;
	/**
	 * The actor for events that anyone can cause. Events that a forge reports only to an account about itself need
	 * alice.
	 */
	readonly by: Person;
	readonly directory: string;
	/** Returns a new number per call. */
	readonly next: () => number;
	/** A call of a user that must succeed; resolves to its JSON. */
	readonly ask: (area: ContentArea, method: string, path: string, body?: object) => Promise<unknown>;
}

type Person = 'alice' | 'bob';

/** The resources of most events; only tests add content to them. */
export const eventPlaces = {
	tracker: { owner: '~alice', name: 'workshop' },
	list: { owner: '~alice', name: 'workshop-devel' },
	repository: { owner: '~alice', name: 'lantern-plugins' },
	/** Not alice's own, so she can subscribe to it. */
	othersList: { owner: '~bob', name: 'wick-devel' },
} as const;

const tracker = '~alice/workshop';
const trackerPath = `/api/user/${tracker.replace('/', '/trackers/')}`;
const list = '~alice/workshop-devel';

/** Calls as one of the two. */
export function askAs(sample: SampleForge, by: Person): EventWorld['ask'] {
	return async (area, method, path, body) => {
		const answer = await sample.call(area, method, path, {
			token: sample.tokens[by],
			...(body === undefined ? {} : { body }),
		});
		assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
		return answer.json;
	};
}

/** Creates the resources that the sample world lacks. */
export async function makeEventPlaces(sample: SampleForge): Promise<void> {
	const ask = askAs(sample, 'alice');
	await ask('todo', 'POST', '/api/trackers', { name: 'workshop', visibility: 'PUBLIC' });
	await ask('todo', 'POST', `${trackerPath}/tickets`, { title: 'The lamp smokes', description: 'In the wind.' });
	await sample.act('/todo/label', { tracker, name: 'bug' });
	await ask('lists', 'POST', '/api/lists', { name: 'workshop-devel' });
}

/** Submits a ticket through the API. */
export async function submit({ ask, next }: EventWorld): Promise<unknown> {
	return await ask('todo', 'POST', `${trackerPath}/tickets`, { title: `It flickers ${next()}` });
}

/** Submits a ticket on the web. */
export async function submitOnWeb({ sample, by, next }: EventWorld): Promise<unknown> {
	return await sample.act('/todo/ticket', { tracker, title: `It hums ${next()}`, by });
}

/** Adds a comment. Resolves to its event. */
export async function say({ ask, next }: EventWorld): Promise<unknown> {
	const comment = `Seen it ${next()} times`;
	return partOf(await ask('todo', 'PUT', `${trackerPath}/tickets/1`, { comment }), ['events', 0]);
}

/** Changes the title on the web. Resolves to the ticket. */
export async function retitle({ sample, next }: EventWorld): Promise<unknown> {
	return await sample.act('/todo/edit', { ticket: `${tracker}#1`, title: `The lamp smokes ${next()}` });
}

/** Creates a label in the tracker. */
export async function addLabel({ sample }: EventWorld, name: string): Promise<unknown> {
	return await sample.act('/todo/label', { tracker, name });
}

export async function removeLabel({ sample }: EventWorld, name: string): Promise<void> {
	await sample.act('/todo/unlabel', { tracker, name });
}

/** Adds a label to the ticket on the web. */
export async function tag({ sample, by }: EventWorld, name: string): Promise<void> {
	await sample.act('/todo/tag', { ticket: `${tracker}#1`, name, by });
}

/** Sets the status of the ticket on the web. */
export async function move({ sample, by }: EventWorld, status: string): Promise<void> {
	await sample.act('/todo/status', { ticket: `${tracker}#1`, status, by });
}

async function mySubscription({ ask }: EventWorld): Promise<unknown> {
	const json = await ask('lists', 'GET', '/api/subscriptions');
	const found: unknown = Array.isArray(json) ? json : fieldsOf(json)['results'];
	assert.ok(Array.isArray(found));
	const mine: unknown = found.find((each) => partOf(each, ['list', 'name']) === eventPlaces.othersList.name);
	return mine === undefined ? undefined : partOf(mine, ['id']);
}

export async function isSubscribed(world: EventWorld): Promise<boolean> {
	return (await mySubscription(world)) !== undefined;
}

export async function beSubscribed(world: EventWorld): Promise<unknown> {
	return (await mySubscription(world)) ?? (await subscribe(world));
}

export async function beUnsubscribed(world: EventWorld): Promise<unknown> {
	return (await mySubscription(world)) === undefined ? undefined : await unsubscribe(world);
}

export async function subscribe(world: EventWorld): Promise<unknown> {
	return await world.ask('lists', 'POST', '/api/subscriptions', { list: '~bob/wick-devel' });
}

export async function unsubscribe(world: EventWorld): Promise<unknown> {
	const id = await mySubscription(world);
	assert.equal(typeof id, 'number', 'not subscribed');
	await world.ask('lists', 'DELETE', `/api/subscriptions/${String(id)}`);
	return { id };
}

/** Sends a mail that starts a thread. Resolves to it in the API's form. */
export async function sendMail(world: EventWorld): Promise<unknown> {
	const number = world.next();
	const id = `<talk-${number}@forge.test>`;
	await post(world, list, [`Subject: An evening mail ${number}`, `Message-ID: ${id}`, '', 'Good evening']);
	return await world.ask('lists', 'GET', `/api/emails/${encodeURIComponent(id)}`);
}

/** Sends a patchset of one patch. Resolves to it in the API's form. */
export async function sendPatch(world: EventWorld): Promise<unknown> {
	const number = world.next();
	const lines = [`Subject: [PATCH lantern v2] Trim the wick ${number}`, `Message-ID: <patch-${number}@forge.test>`];
	await post(world, list, [...lines, '', 'Shorter.', '---', 'diff --git a/f b/f', 'index 1..2']);
	const json = await world.ask('lists', 'GET', `/api/user/${list.replace('/', '/lists/')}/patchsets`);
	return partOf(json, Array.isArray(json) ? [0] : ['results', 0]);
}

const senders = { alice: 'Alice <alice@forge.test>', bob: 'Bob <bob@forge.test>' } as const;

/** Sends a mail through the SMTP door. `to`: as `~alice/workshop-devel`. */
export async function post(
	{ sample: { smtp }, by }: Pick<EventWorld, 'sample' | 'by'>,
	to: string,
	lines: readonly string[],
): Promise<void> {
	assert.ok(smtp !== null);
	const address = `${to}@lists.forge.test`;
	const mail = [`From: ${senders[by]}`, `To: ${address}`, ...lines];
	const socket = connect(smtp.port, smtp.host).setEncoding('utf8');
	let replies = '';
	socket.on('data', (text: string) => (replies += text));
	const from = `MAIL FROM:<${by}@forge.test>`;
	socket.write(['EHLO here', from, `RCPT TO:<${address}>`, 'DATA', ...mail, '.', 'QUIT', ''].join('\r\n'));
	await once(socket, 'close');
	assert.match(replies, /^354 .*\r\n250 .*\r\n221 /m, replies);
}

const run = promisify(execFile);

/** Pushes a commit of alice to master and a tag `clone-<number>`, with authentication. */
export async function push({ sample, directory, next }: EventWorld): Promise<undefined> {
	const who = { GIT_AUTHOR_NAME: 'Alice', GIT_AUTHOR_EMAIL: 'alice@forge.test' };
	const committer = { GIT_COMMITTER_NAME: 'Alice', GIT_COMMITTER_EMAIL: 'alice@forge.test' };
	const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
	const env = { PATH: process.env['PATH'], HOME: directory, LC_ALL: 'C', ...who, ...committer, ...quiet };
	const name = `clone-${next()}`;
	const git = async (cwd: string, ...args: readonly string[]): Promise<unknown> => await run('git', args, { cwd, env });
	await git(directory, 'clone', '-q', pushAddress(sample, '~alice/lantern-plugins'), name);
	const clone = join(directory, name);
	await writeFile(join(clone, `${name}.txt`), 'a note\n');
	await git(clone, 'add', '.');
	await git(clone, 'commit', '-qm', 'A note');
	await git(clone, 'tag', '-a', name, '-m', 'Evening');
	await git(clone, 'push', '-q', 'origin', 'HEAD:master', name);
	return undefined;
}
