import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { PlainProblem } from './plainProblem.ts';

const chromiumPaths = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Installs Debian packages where that is possible without asking anybody. */
function aptInstall(packages: readonly string[]): void {
	if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) {
		return;
	}
	console.log(`Installing ${packages.join(' and ')} with apt-get (once)`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const apt = (...args: readonly string[]): void => {
		spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
	};
	apt('update');
	apt('install', '-y', '--no-install-recommends', ...packages);
}

/** The path of a Chromium, installed on the way where it is missing. `CHROMIUM_PATH` names another one. */
export function ensureChromium(): string {
	const find = (): string | undefined =>
		[process.env['CHROMIUM_PATH'] ?? '', ...chromiumPaths].find((path) => path !== '' && existsSync(path));
	if (find() === undefined) {
		aptInstall(['chromium', 'fonts-liberation']);
	}
	const found = find();
	if (found === undefined) {
		throw new PlainProblem(
			'Chromium is missing: install it with `sudo apt-get install chromium`, or set CHROMIUM_PATH.',
		);
	}
	return found;
}

/** Its Perl packages are only recommended by Debian, and without them the program ends at once. */
const gitSendEmailPackages = ['git-email', 'libmailtools-perl'] as const;

/** Asks the program itself, because the file alone does not tell whether it runs. */
function hasGitSendEmail(): boolean {
	return (
		spawnSync('git', ['send-email', '--dump-aliases'], { stdio: 'ignore' }).status === 0 &&
		hasPerlModule('Mail::Address')
	);
}

function hasPerlModule(name: string): boolean {
	return spawnSync('perl', [`-M${name}`, '-e', '1'], { stdio: 'ignore' }).status === 0;
}

/** Makes sure that `git send-email` can be run. */
export function ensureGitSendEmail(): void {
	if (!hasGitSendEmail()) {
		aptInstall(gitSendEmailPackages);
	}
	if (!hasGitSendEmail()) {
		throw new PlainProblem(
			`\`git send-email\` is missing: install it with \`sudo apt-get install ${gitSendEmailPackages.join(' ')}\`.`,
		);
	}
}

/** Makes sure that signatures can be made and verified in tests: `gpg` and `ssh-keygen`. */
export function ensureSigning(): void {
	const isThere = (program: string, ...args: readonly string[]): boolean =>
		spawnSync(program, args, { stdio: 'ignore' }).error === undefined;
	if (!isThere('gpg', '--version') || !isThere('ssh-keygen', '-?')) {
		aptInstall(['gnupg', 'openssh-client']);
	}
}
