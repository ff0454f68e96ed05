import type { IncomingMessage, Server } from 'node:http';
import {
	type Answer,
	type Call,
	type Method,
	type OpenRoute,
	type Route,
	open,
	documentDialect,
} from '../src/shared/area.ts';
import { json, problems, Refusal } from '../src/shared/answers.ts';
import { emptyBody, readBody } from '../src/shared/body.ts';
import { createRouter, sendAnswer } from '../src/server/areaServer.ts';
import { createClosedServer } from '../src/server/closedServer.ts';
import { readFaultOrder, type Faults } from './faults.ts';
import type { RequestLog } from './requestLog.ts';

export interface ControlParts {
	readonly faults: Faults;
	readonly log: RequestLog;
	/** Control routes of the areas; a reset replaces them. */
	readonly routes: () => readonly OpenRoute[];
	/** Recreates the whole world. */
	readonly reset: () => Promise<void>;
	/** Resolves after the delivery of all webhooks. */
	readonly idle: () => Promise<void>;
	/** All webhooks, as `family target address`. */
	readonly webhooks: () => readonly string[];
	/** Stops the clock at a time, until the reset. */
	readonly stopClock: (atMs: number) => void;
}

/** The control origin for tests. */
export function createControlServer(parts: ControlParts): Server {
	const server = createClosedServer((request, response) => {
		answer(parts, request)
			.then((result) => sendAnswer(request, response, result))
			.catch(() => response.destroy());
	});
	server.on('clientError', (_error, socket) => void socket.destroy());
	return server;
}

async function answer(parts: ControlParts, request: IncomingMessage): Promise<Answer> {
	try {
		return await route(parts, request);
	} catch (error) {
		return error instanceof Refusal ? error.answer : problems(500, [{ reason: String(error) }]);
	}
}

async function route(parts: ControlParts, request: IncomingMessage): Promise<Answer> {
	const { method = 'GET', url = '/' } = request;
	const [path = '/', search = ''] = url.split('?', 2);
	const router = createRouter([...ownRoutes(parts), ...parts.routes()]);
	const match = isMethod(method) ? router.match(method, path) : undefined;
	if (match?.route === undefined || match.route.kind !== 'open' || !isMethod(method)) {
		return problems(404, [{ reason: '404 not found' }]);
	}
	const body = method === 'GET' ? emptyBody : await readBody(request, documentDialect);
	const call: Call = {
		area: 'meta',
		method,
		path,
		params: match.params,
		query: new URLSearchParams(search),
		headers: request.headers,
		body,
		request,
	};
	return await match.route.handle(call);
}

function ownRoutes({ faults, log, reset, idle, webhooks, stopClock }: ControlParts): readonly Route[] {
	return [
		open('GET', '/requests', () => json(200, log.entries())),
		open('GET', '/requests/count', () => json(200, log.count())),
		open('DELETE', '/requests', () => {
			log.clear();
			return json(200, {});
		}),
		open('GET', '/crashes', () => json(200, log.crashes())),
		open('POST', '/faults', (call) => {
			const order = readFaultOrder(call.body.fields);
			if (typeof order === 'string') {
				return problems(400, [{ reason: order }]);
			}
			faults.add(order);
			return json(201, {});
		}),
		open('DELETE', '/faults', () => {
			faults.clear();
			return json(200, {});
		}),
		open('POST', '/reset', async () => {
			await reset();
			return json(200, {});
		}),
		open('GET', '/webhooks', () => json(200, webhooks())),
		open('POST', '/clock', ({ body: { fields } }) => {
			const { atMs } = fields;
			if (typeof atMs !== 'number') {
				return problems(400, [{ field: 'atMs', reason: 'not a number' }]);
			}
			stopClock(atMs);
			return json(200, {});
		}),
		open('POST', '/webhooks/idle', async () => {
			await idle();
			return json(200, {});
		}),
	];
}

function isMethod(text: string): text is Method {
	return text === 'GET' || text === 'POST' || text === 'PUT' || text === 'DELETE';
}
