import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

/** A visitor from another site continues by the link of this page, to the same address. */
const refusal = `<!doctype html>
<html lang="en"><title>Sample forge</title>
<p>The sample forge answers only its own pages. <a href="">Continue</a></p></html>
`;

const refusalHeaders = {
	'Content-Type': 'text/html; charset=utf-8',
	// Another site could place the link below a click.
	'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
	'Cache-Control': 'no-store',
	Connection: 'close',
};

/**
 * An HTTP server for its own pages and for programs of this machine (docs/security.md#requests-to-the-sample-forge).
 */
export function createClosedServer(answer: RequestListener): Server {
	const server = createServer({ requireHostHeader: false }, (request, response) => {
		if (isOwnCall(request)) {
			answer(request, response);
			return;
		}
		response.writeHead(403, refusalHeaders);
		response.end(refusal);
	});
	// The default says "100 Continue" before anybody looks at the request.
	server.on('checkContinue', (request, response) => {
		if (isOwnCall(request)) {
			response.writeContinue();
		}
		server.emit('request', request, response);
	});
	return server;
}

/** Every header counts however often it is sent: `request.headers` has only one `Host`. */
function isOwnCall({ headersDistinct: sent, url = '', socket }: IncomingMessage): boolean {
	const host = `127.0.0.1:${socket.localPort ?? 0}`;
	const origin = `http://${host}`;
	const { host: hosts = [], origin: origins = [], referer: pages = [], 'sec-fetch-site': sites = [] } = sent;
	return (
		hosts.length === 1 &&
		hosts[0] === host &&
		// A target with a host of its own overrules the header.
		url.startsWith('/') &&
		origins.every((each) => each === origin) &&
		pages.every((each) => each === origin || each.startsWith(`${origin}/`)) &&
		sites.every((each) => each === 'same-origin' || each === 'none')
	);
}
