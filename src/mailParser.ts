// The bundle that reads mails; loaded with the first mail that is shown.
export { readMail } from './mail/readMail.ts';
export type { MailAttachment, MailPerson, MailReading, ReadableMail, SenderCaution } from './mail/readableMail.ts';
