import { startLocalServer, type LocalServer } from '../support/localServer.ts';

/** Sends back what it is sent, and closes the connection, as a forge's deliveries have one each. */
export function startEcho(): Promise<LocalServer> {
	return startLocalServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => response.writeHead(200, { Connection: 'close' }).end(Buffer.concat(chunks)));
	});
}
