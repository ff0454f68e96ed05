import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensurePublicInbox } from '../harness/debian.ts';
import { runMark } from '../harness/leftovers.ts';

/** Debian's public-inbox on the loopback, over inboxes of one test. */
export interface RealArchive {
	/** `http://127.0.0.1:4711/` */
	readonly siteUrl: string;
	/** Address of an inbox, with a trailing slash. */
	inboxUrl(name: string): string;
	/** Adds mails and indexes them. The server's search sees them after about a minute, all else at once. */
	deliver(name: string, mails: readonly Uint8Array[]): void;
	/** Ends the server, and keeps its mails. */
	leave(): Promise<void>;
	/** Starts it again, at the same address. */
	comeBack(): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts the server over inboxes with these raw mails. `received`: further mails by inbox, as a mail server delivers them.
 * There, a second text under a Message-ID gets a further Message-ID.
 */
export async function startArchive(
	inboxes: Readonly<Record<string, readonly Uint8Array[]>>,
	received: Readonly<Record<string, readonly Uint8Array[]>> = {},
): Promise<RealArchive> {
	ensurePublicInbox();
	const folder = mkdtempSync(join(tmpdir(), 'archive-'));
	let server: ChildProcess | undefined;
	const config = join(folder, 'config');
	const env = {
		PATH: process.env['PATH'] ?? '',
		HOME: folder,
		TMPDIR: folder,
		PI_CONFIG: config,
		GIT_CONFIG_NOSYSTEM: '1',
		LC_ALL: 'C.UTF-8',
		TZ: 'UTC',
		// A run that ends early finds its processes by this mark.
		[runMark]: process.env[runMark] ?? '',
	};
	const run = (program: string, args: readonly string[], input: Uint8Array | string = '', more = {}): void =>
		void execFileSync(program, args, { env: { ...env, ...more }, input, stdio: ['pipe', 'pipe', 'pipe'] });

	function deliver(name: string, mails: readonly Uint8Array[]): void {
		// The import is the archive's own format: one commit for each mail, in the file `m`.
		const repository = join(folder, name, 'git/0.git');
		const hasMails = existsSync(join(repository, 'refs/heads/master'));
		run('git', ['--git-dir', repository, 'fast-import', '--quiet', '--done'], imported(mails, hasMails));
		run('public-inbox-index', ['-j0', '--no-fsync', join(folder, name)]);
	}

	const start = async (address: string): Promise<string> => {
		const started = spawn('public-inbox-httpd', ['-W0', '-l', address], {
			env,
			cwd: join(folder, 'run'),
			stdio: ['ignore', 'ignore', 'pipe'],
		});
		server = started;
		return await boundAddress(started.stderr);
	};
	const leave = async (): Promise<void> => {
		if (server?.exitCode === null && server.signalCode === null) {
			server.kill('SIGKILL');
			await once(server, 'exit');
		}
	};
	const stop = async (): Promise<void> => {
		await leave();
		rmSync(folder, { recursive: true, force: true });
	};

	try {
		for (const [name, mails] of Object.entries(inboxes)) {
			const place = [join(folder, name), `http://127.0.0.1/${name}`, `${name}@lists.example`];
			run('public-inbox-init', ['-V2', '-j1', '-c', `listid=${name}.lists.example`, name, ...place]);
			deliver(name, mails);
		}
		appendFileSync(config, '[publicinbox]\n\twwwlisting = all\n[publicinboxmda]\n\tspamcheck = none\n');
		for (const [name, mails] of Object.entries(received)) {
			mails.forEach((mail) =>
				run('public-inbox-mda', ['--no-precheck'], mail, { ORIGINAL_RECIPIENT: `${name}@lists.example` }),
			);
		}
		mkdirSync(join(folder, 'run'));
		const siteUrl = await start('127.0.0.1:0');
		const comeBack = async (): Promise<void> => void (await start(new URL(siteUrl).host));
		return { siteUrl, inboxUrl: (name) => `${siteUrl}${name}/`, deliver, leave, comeBack, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The server chooses a free port and names it. */
async function boundAddress(errors: NodeJS.ReadableStream): Promise<string> {
	const said: string[] = [];
	for await (const line of createInterface(errors)) {
		const address = /bound (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
		if (address !== undefined) {
			errors.resume();
			return `${address}/`;
		}
		said.push(line);
	}
	throw new Error(`public-inbox-httpd ended: ${said.join('\n')}`);
}

function imported(mails: readonly Uint8Array[], isMore: boolean): Uint8Array {
	const parts = mails.flatMap((mail, at) => [
		Buffer.from(
			[
				'commit refs/heads/master',
				`committer A <a@lists.example> ${1_700_000_000 + at} +0000`,
				'data 1',
				'x',
				...(at === 0 && isMore ? ['from refs/heads/master^0'] : []),
				'M 100644 inline m',
				`data ${mail.byteLength}`,
				'',
			].join('\n'),
		),
		mail,
		Buffer.from('\n'),
	]);
	return Buffer.concat([...parts, Buffer.from('done\n')]);
}
