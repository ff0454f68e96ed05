import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Disposable } from '../base/lifecycle.ts';
import { calledHost, listenAt, loopbackServer } from '../listener/loopbackServer.ts';
import { callbackPath } from './authorizeAddress.ts';
import type { CallbackReader, CallbackReading } from './callback.ts';

/** The sentences that the browser shows. */
export interface ReceiverPages {
	readonly title: string;
	/** The answer was taken, good or bad: go back to the editor. */
	readonly goBack: string;
	/** This request belongs to no sign-in that is under way. */
	readonly notExpected: string;
	/** A refusal came that may be any page's; its address has to be handed over by the user. */
	readonly perhapsRefused: string;
	/** BCP 47 tag of the sentences. */
	readonly language: string;
}

/** What a receiver is made with. */
export interface ReceiverParts {
	/** 0: any that is free. */
	readonly port: number;
	readonly reader: CallbackReader;
	/** Called when a refusal came that is not believed from a browser. */
	readonly onRefusal: () => void;
	readonly pages: ReceiverPages;
}

/** A door on 127.0.0.1 that waits for one browser to come back. */
export interface RedirectReceiver extends Disposable {
	/** `http://127.0.0.1:<port>/callback` */
	readonly address: string;
	/** Also answer to this host, under which an editor may have made the door reachable. */
	alsoCalled(host: string): void;
	/** The one callback that was taken. Never settles when none comes. */
	readonly answer: Promise<Exclude<CallbackReading, { readonly kind: 'ignored' }>>;
}

const arrivalLimits = { headersMs: 10_000, requestMs: 10_000, checkMs: 1000, headerBytes: 16_384 };

/** Opens the door. Rejects when the port is taken. It closes by itself once it has taken a callback. */
export async function receiveRedirect({ port, reader, pages, onRefusal }: ReceiverParts): Promise<RedirectReceiver> {
	const hosts = new Set<string>();
	const taken = Promise.withResolvers<Exclude<CallbackReading, { readonly kind: 'ignored' }>>();
	const server = loopbackServer(arrivalLimits, (request, response) => {
		const refusal = refuse(request, hosts);
		if (refusal !== undefined) {
			answer(response, refusal, page(pages, pages.notExpected));
			return;
		}
		const reading = reader.read(queryOf(request), 'browser');
		if (reading.kind === 'ignored') {
			const isRefusal = reading.fault === 'refusalWithoutState';
			answer(response, 400, page(pages, isRefusal ? pages.perhapsRefused : pages.notExpected));
			if (isRefusal) {
				onRefusal();
			}
			return;
		}
		response.once('close', () => {
			close();
			// Only now, because whoever waits closes the door at once, and the browser has to get its page first.
			taken.resolve(reading);
		});
		answer(response, 200, page(pages, pages.goBack));
	});
	const close = (): void => {
		server.close();
		server.closeIdleConnections();
	};
	const host = `127.0.0.1:${await listenAt(server, { port, address: '127.0.0.1' })}`;
	hosts.add(host);
	return {
		address: `http://${host}${callbackPath}`,
		alsoCalled: (name) => void hosts.add(name.toLowerCase()),
		answer: taken.promise,
		dispose() {
			reader.spend();
			close();
			server.closeAllConnections();
		},
	};
}

/** Status for a request that cannot be the browser coming back; names under which a foreign page may call are refused. */
function refuse(request: IncomingMessage, hosts: ReadonlySet<string>): number | undefined {
	if (!hosts.has(calledHost(request) ?? '')) {
		return 403;
	}
	if (request.method !== 'GET') {
		return 405;
	}
	const [path] = (request.url ?? '').split('?', 1);
	return path === callbackPath ? undefined : 404;
}

function queryOf(request: IncomingMessage): string {
	const address = request.url ?? '';
	const mark = address.indexOf('?');
	return mark < 0 ? '' : address.slice(mark + 1);
}

function answer(response: ServerResponse, status: number, body: string): void {
	response.writeHead(status, {
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
		'Cache-Control': 'no-store',
		'Referrer-Policy': 'no-referrer',
		'X-Content-Type-Options': 'nosniff',
		Connection: 'close',
		...(status === 405 ? { Allow: 'GET' } : {}),
	});
	response.end(body);
}

function page({ title, language }: ReceiverPages, sentence: string): string {
	return `<!doctype html>
<html lang="${escape(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<style>:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1.5rem}</style></head>
<body><main><h1>${escape(title)}</h1><p>${escape(sentence)}</p></main></body>
</html>
`;
}

function escape(text: string): string {
	return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
