// The published face. Sources of this repository import the files.
import { typedMessageId } from './read/messageId.ts';

export { typedMessageId };
