import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGitProgram } from '../src/git/gitProgram.ts';
import { listen } from '../src/server/listen.ts';
import { deliverHere } from '../src/webhooks/deliver.ts';
import { startSampleForge, type SampleForge } from '../../../test/support/sampleForge.ts';

/** The whole response of a server to these lines. Each request ends its connection. */
async function said(port: number, ...lines: readonly string[]): Promise<string> {
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => undefined);
	socket.write(lines.join('\r\n'), 'latin1');
	return await text(socket);
}

const form = 'application/x-www-form-urlencoded';

/** A request that ends its connection. `host`: empty for none. */
function request(host: string, method: string, path: string, headers: readonly string[], body = ''): string {
	const length = body === '' ? [] : [`Content-Type: ${form}`, `Content-Length: ${body.length}`];
	return [
		`${method} ${path} HTTP/1.1`,
		...(host === '' ? [] : [`Host: ${host}`]),
		...length,
		...headers,
		'Connection: close',
		'',
		body,
	].join('\r\n');
}

/** Requests of web pages and rebound names to `own` (a host with its port). */
function foreignCalls(own: string, method: string, path: string, body: string): readonly string[] {
	const [, port = ''] = own.split(':');
	const call = (...headers: readonly string[]): string => request(own, method, path, headers, body);
	const hosts = [
		'evil.example',
		`evil.example:${port}`,
		'127.0.0.1',
		`127.0.0.1.:${port}`,
		`localhost:${port}`,
		`[::1]:${port}`,
		'127.0.0.1:1',
		`127.1:${port}`,
		`2130706433:${port}`,
		`${own}.evil.example`,
		`0.0.0.0:${port}`,
		'',
	];
	const origins = [
		'http://evil.example',
		'null',
		`https://${own}`,
		'http://127.0.0.1:1',
		`http://localhost:${port}`,
		own,
	];
	return [
		...hosts.map((host) => request(host, method, path, [], body)),
		...hosts.filter((host) => host !== '').map((host) => call(`Host: ${host}`)),
		...origins.map((origin) => call(`Origin: ${origin}`)),
		call(`Origin: http://${own}`, 'Origin: http://evil.example'),
		...['cross-site', 'same-site', 'CROSS-SITE', 'none, cross-site', 'new-word'].map((site) =>
			call(`Sec-Fetch-Site: ${site}`),
		),
		call('Sec-Fetch-Site: none', 'Sec-Fetch-Site: cross-site'),
		call('Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image'),
		call('Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Sec-Fetch-User: ?1'),
		call('Referer: http://evil.example/'),
		call(`Referer: http://${own}.evil.example/`),
		call('Origin: http://evil.example', 'Expect: 100-continue'),
		call(
			'Origin: http://evil.example',
			'Connection: Upgrade',
			'Upgrade: websocket',
			'Sec-WebSocket-Version: 13',
			'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
		),
		request(own, method, `http://evil.example:${port}${path}`, [], body),
		request(own, method, `http://${own}${path}`, [], body),
		request(own, 'OPTIONS', '*', [], ''),
		request(own, 'OPTIONS', path, ['Origin: http://evil.example', 'Access-Control-Request-Method: POST']),
		request('evil.example', method, path, [], body).replace('HTTP/1.1', 'HTTP/1.0'),
	];
}

suite('Sample forge: access from outside', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await startSampleForge({ dialect: 'graphql' });
	});

	suiteTeardown(async () => {
		await forge.stop();
	});

	test('every server rejects a foreign host, origin, site or target', async () => {
		const { meta, todo, git, lists } = forge.areas;
		const calls: readonly (readonly [string, string, string, string])[] = [
			[meta, 'GET', '/login', ''],
			[meta, 'POST', '/login', 'user=alice&return_to=%2F'],
			[todo, 'GET', '/query', ''],
			[git, 'GET', '/~alice/lantern/info/refs?service=git-upload-pack', ''],
			[git, 'POST', '/~alice/lantern/git-upload-pack', 'x=y'],
			[lists, 'GET', '/', ''],
			[forge.hub ?? '', 'GET', '/query', ''],
			[forge.control, 'GET', '/requests', ''],
			[forge.control, 'POST', '/meta/token', 'user=alice'],
		];
		const requestsBefore = await forge.requestCount();
		let count = 0;
		for (const [origin, method, path, body] of calls) {
			const { host: own, port } = new URL(origin);
			const ownAnswer = await said(
				Number(port),
				request(own, method, path, [`Origin: ${origin}`, 'Sec-Fetch-Site: same-origin'], body),
			);
			assert.doesNotMatch(ownAnswer, /^HTTP\/1\.1 403 /, `${method} ${origin}${path}`);
			const foreign = foreignCalls(own, method, path, body);
			const answers = await Promise.all(foreign.map(async (call) => await said(Number(port), call)));
			for (const [at, answer] of answers.entries()) {
				assert.match(answer, /^HTTP\/1\.1 403 /, foreign[at]);
				assert.match(
					answer,
					/\r\n\r\n(?:[\da-f]+\r\n)?<!doctype html>\n<html lang="en"><title>Sample forge<\/title>\n<p>The sample forge answers only its own pages\. <a href="">Continue<\/a><\/p><\/html>\n(?:\r\n0\r\n\r\n)?$/,
					foreign[at],
				);
				assert.doesNotMatch(answer, /set-cookie|access-control|100 continue/i, foreign[at]);
			}
			count += foreign.length;
		}
		assert.ok(count >= 200, `${count} calls`);
		// Each area accepts one call, that of its own pages. The control origin counts none.
		assert.equal(
			(await forge.requestCount()) - requestsBefore,
			calls.filter(([origin]) => origin !== forge.control).length,
		);
	});

	test('the SMTP server rejects a mail inside an HTTP request', async () => {
		const { port } = forge.smtp ?? { port: 0 };
		const mail = [
			'HELO me',
			'MAIL FROM:<eve@evil.example>',
			'RCPT TO:<~alice/lantern-devel@lists.forge.test>',
			'DATA',
			'From: Eve <eve@evil.example>',
			'Message-ID: <1@evil.example>',
			'To: ~alice/lantern-devel@lists.forge.test',
			'Subject: x',
			'',
			'x',
			'.',
			'',
		];
		const first = [
			'POST / HTTP/1.1',
			'get /',
			'OPTIONS * HTTP/1.1',
			'PRI * HTTP/2.0',
			'Host: 127.0.0.1',
			'Content-Type: text/plain',
			'\u0016\u0003\u0001\u0002',
			'',
			'------WebKitFormBoundary',
			'x=',
			'<policy-file-request/>',
			'FLY',
		];
		for (const line of first) {
			assert.match(await said(port, line, ...mail), /^220 [^\n]*\n421 [^\n]*\n$/, line);
		}
		assert.match(await said(port, 'AUTH LOGIN', 'POST / HTTP/1.1', ...mail), /^220 [^\n]*\n334 \r\n421 [^\n]*\n$/);
		assert.match(await said(port, ...mail.slice(0, -1), 'QUIT', ''), /250 2\.0\.0 Taken\r\n221/);
	});

	test('webhooks reach only this machine and follow no redirect', async () => {
		const paths: string[] = [];
		const server = createServer(({ url = '' }, response) => {
			paths.push(url);
			response.writeHead(302, { Location: '/second' }).end('moved');
		});
		const port = await listen(server, 0);
		const send = async (url: string): Promise<number> =>
			(await deliverHere(url, {}, 'body', AbortSignal.timeout(60_000))).status;
		assert.equal(await send(`http://127.0.0.1:${port}/first`), 302);
		assert.equal(await send(`http://localhost:${port}/named`), 302);
		assert.deepEqual(paths, ['/first', '/named']);
		for (const host of [
			'0.0.0.0',
			'0',
			'[::]',
			'192.0.2.1',
			'10.0.0.1',
			'169.254.169.254',
			'[::ffff:10.0.0.1]',
			'[fe80::1]',
		]) {
			assert.equal(await send(`http://${host}:${port}/`), -2, host);
		}
		assert.equal(await send('file://127.0.0.1/etc/passwd'), -2);
		assert.equal(paths.length, 2);
		server.close();
		await once(server, 'close');
	});

	test('git runs only from absolute folders of PATH', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'closed-door-'));
		const trap = join(folder, 'git');
		await writeFile(trap, '#!/bin/sh\necho trapped\n');
		await chmod(trap, 0o755);
		const signal = AbortSignal.timeout(60_000);
		const version = async (path: string): Promise<string> =>
			(await createGitProgram(folder, signal, { PATH: path }).run(['--version'])).toString('utf8');
		assert.match(await version(['', '.', process.env['PATH']].join(delimiter)), /^git version/);
		await assert.rejects(version(['', '.', ''].join(delimiter)), /was not found/);
		await rm(folder, { recursive: true });
	});
});
