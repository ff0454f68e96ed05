import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer, type LocalServer } from '../../../../support/localServer.ts';

/** Credentials of a git server. */
export interface Login {
	readonly user: string;
	readonly password: string;
}

/** Serves the repositories below a folder over HTTP, with basic authentication. */
export async function gitOverHttp(folder: string, { user, password }: Login): Promise<LocalServer> {
	const wanted = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
	return await startLocalServer((request, response) => {
		if (request.headers.authorization !== wanted) {
			response.writeHead(401, { 'www-authenticate': 'Basic realm="forge"' }).end();
			return;
		}
		answer(folder, request, response).catch(() => response.destroy());
	});
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
	const backend = spawn('git', ['http-backend'], {
		env: {
			PATH: process.env['PATH'],
			GIT_PROJECT_ROOT: folder,
			GIT_HTTP_EXPORT_ALL: '1',
			PATH_INFO: pathname,
			QUERY_STRING: searchParams.toString(),
			REQUEST_METHOD: request.method,
			CONTENT_TYPE: request.headers['content-type'],
			HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
			REMOTE_USER: 'alice',
		},
	});
	backend.stdin.end(await buffer(request));
	const output = await buffer(backend.stdout);
	const end = output.indexOf('\r\n\r\n');
	const headers = output.toString('latin1', 0, end).split('\r\n');
	response.statusCode = Number(/^Status: (\d+)/m.exec(headers.join('\n'))?.[1] ?? 200);
	for (const header of headers.filter((each) => !each.startsWith('Status:'))) {
		const [name = '', value = ''] = header.split(': ', 2);
		response.setHeader(name, value);
	}
	response.end(output.subarray(end + 4));
}
