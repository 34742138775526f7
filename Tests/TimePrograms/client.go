package main

import (
	"io"
	"net/http"
	"os"
	"time"
)

func get(path string, limit time.Duration) int {
	client := http.Client{Timeout: limit}
	answer, err := client.Get(os.Getenv("API_URL") + path)
	if err != nil {
		return 0
	}
	io.ReadAll(answer.Body)
	answer.Body.Close()
	return answer.StatusCode
}

func main() {
	limit := 20 * time.Second
	switch os.Args[1] {
	case "sleep":
		time.Sleep(10 * time.Second)
		get("/sleep", limit)
	case "time-out":
		get("/silent", limit)
	case "back-off":
		for pause := time.Second; get("/busy", limit) != 200; pause *= 2 {
			time.Sleep(pause)
		}
	case "cut":
		for get("/cut", limit) != 200 {
			time.Sleep(5 * time.Second)
		}
	default:
		get("/silent", 0)
	}
}
