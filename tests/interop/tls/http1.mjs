// Asks for a URL over HTTP/1.1, whoever serves it, and prints the status of the answer.
import { request } from "node:https";

const options = {
  method: "POST",
  rejectUnauthorized: false,
  ALPNProtocols: ["http/1.1"],
};
request(process.argv[2], options, (answer) => {
  console.log(answer.statusCode);
  answer.destroy();
}).end();
