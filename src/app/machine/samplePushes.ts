import { sampleUser, type RunningSample } from '../../editor/accounts/sampleSource.ts';
import type { WithAskPass } from 'hardened-git/askPass.ts';

/**
 * Pushes to the sample forge, which has no SSH: it takes them at addresses of their own, with a token as password. Git
 * gets the token only for the forge's own origin.
 */
export function samplePushes(sample: () => RunningSample | undefined, askPass: WithAskPass) {
	const reply = (question: string): string | undefined => {
		const [, what, address = ''] = /^(Username|Password) for '([^']+)': ?$/.exec(question) ?? [];
		const running = sample();
		if (running === undefined || URL.parse(address)?.origin !== running.instance.areas.git) {
			return undefined;
		}
		return what === 'Username' ? sampleUser : running.tokens[sampleUser]?.reveal();
	};
	const withAskPass: WithAskPass = (ask, signal, work) =>
		askPass(async (question, asking) => reply(question) ?? (await ask(question, asking)), signal, work);
	return {
		withAskPass,
		/** Where a push to the remote at `address` goes. */
		pushAddress(address: string): string {
			const git = sample()?.instance.areas.git;
			return git !== undefined && address.startsWith(`${git}/~`) ? `${git}/ssh${address.slice(git.length)}` : address;
		},
	};
}
