import type { IncomingMessage, ServerResponse } from 'node:http';
import { calledHost, listenAt, loopbackServer } from './loopbackServer.ts';
import { callbackPath, type CallbackReader, type CallbackReading } from './callback.ts';

/** Texts of the browser page. */
export interface ReceiverPages {
	readonly title: string;
	/** For an accepted callback, success or failure: return to the editor. */
	readonly goBack: string;
	/** For a request outside a pending sign-in. */
	readonly notExpected: string;
	/** For a refusal that any web page may have forged; asks the user to paste the address. */
	readonly perhapsRefused: string;
	/** BCP 47 tag of the texts. */
	readonly language: string;
}

/** A server on 127.0.0.1 for one browser callback. */
export type RedirectReceiver = Awaited<ReturnType<typeof receiveRedirect>>;

const arrivalLimits = { headersMs: 10_000, requestMs: 10_000, checkMs: 1000, headerBytes: 16_384 };

/**
 * Starts the server, at any free port for 0. Rejects if the port is taken. The server closes after one callback.
 * `onRefusal`: called on an unverifiable refusal.
 */
export async function receiveRedirect(
	port: number,
	reader: CallbackReader,
	pages: ReceiverPages,
	onRefusal: () => void,
) {
	const hosts = new Set<string>();
	const taken = Promise.withResolvers<Exclude<CallbackReading, { readonly kind: 'ignored' }>>();
	const server = loopbackServer(arrivalLimits, (request, response) => {
		const refusal = refuse(request, hosts);
		if (refusal !== undefined) {
			answer(response, refusal, page(pages, pages.notExpected));
			return;
		}
		const [, ...query] = (request.url ?? '').split('?');
		const reading = reader.read(query.join('?'), 'browser');
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
			// Only after the response: the caller disposes the server immediately, and the browser needs its page
			// first.
			taken.resolve(reading);
		});
		answer(response, 200, page(pages, pages.goBack));
	});
	const close = (): void => {
		server.close();
		server.closeIdleConnections();
	};
	const host = `127.0.0.1:${await listenAt(server, port, '127.0.0.1')}`;
	hosts.add(host);
	return {
		/** `http://127.0.0.1:<port>/callback` */
		address: `http://${host}${callbackPath}`,
		/** Also accepts requests with this host, for example a forwarded port. */
		alsoCalled: (name: string) => void hosts.add(name.toLowerCase()),
		/** The accepted callback. May stay pending forever. */
		answer: taken.promise,
		dispose() {
			reader.spend();
			close();
			server.closeAllConnections();
		},
	};
}

/** Error status for a request that can't be the callback. Checks the host against DNS rebinding. */
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
