// A process that makes sure that the programs are there that tests run. Installing takes a minute and waits for nothing else.
import { neededChromium } from './browser.ts';
import { ensureCodeServer } from './codeServer.ts';
import { ensureChromium, ensureGitSendEmail, ensureSigning } from './debian.ts';
import { shownProblem } from './plainProblem.ts';

try {
	ensureGitSendEmail();
	ensureSigning();
	ensureChromium(neededChromium(process.env));
	ensureCodeServer();
} catch (error) {
	console.error(shownProblem(error));
	process.exitCode = 1;
}
