import { startLocalServer, type LocalServer } from '../support/localServer.ts';

/** Echoes the body and closes the connection, because each delivery of a forge uses its own connection. */
export function startEcho(): Promise<LocalServer> {
	return startLocalServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => response.writeHead(200, { Connection: 'close' }).end(Buffer.concat(chunks)));
	});
}
