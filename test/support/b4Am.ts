import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureB4 } from '../harness/b4.ts';

const driver = join(import.meta.dirname, 'b4Am.py');

/** The mailboxes of `b4 am` for mails of an inbox; empty where it finds nothing. It reaches no other host. */
export function mailboxesOfB4(
	inboxUrl: string,
	asked: readonly { readonly version: number; readonly messageId: string }[],
): readonly Buffer[] {
	const python = ensureB4();
	const folder = mkdtempSync(join(tmpdir(), 'b4-'));
	try {
		const home = join(folder, 'home');
		mkdirSync(home);
		const settings = [
			'[user]\n\tname = Tess Tester\n\temail = tess@t.example\n[b4]',
			`midmask = ${inboxUrl}%s`,
			`linkmask = ${inboxUrl}%s`,
			`searchmask = "${inboxUrl}?x=m&t=1&q=%s"`,
			'attestation-policy = off\n',
		];
		writeFileSync(join(home, '.gitconfig'), settings.join('\n\t'));
		const runs = asked.map(({ version, messageId }, at) => [
			folder,
			String(at),
			['-v', String(version), messageId.replaceAll(/^<|>$/g, '')],
		]);
		execFileSync(python, [driver], {
			cwd: folder,
			input: runs.map((run) => `${JSON.stringify(run)}\n`).join(''),
			stdio: ['pipe', 'ignore', 'inherit'],
			env: {
				PATH: process.env['PATH'],
				HOME: home,
				LC_ALL: 'C.UTF-8',
				PYTHONDONTWRITEBYTECODE: '1',
				HTTP_PROXY: 'http://127.0.0.1:9',
				HTTPS_PROXY: 'http://127.0.0.1:9',
				NO_PROXY: '127.0.0.1',
			},
		});
		return asked.map((_, at) => {
			const path = join(folder, `${at}.mbx`);
			return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
